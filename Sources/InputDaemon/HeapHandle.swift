internal import CLinux
internal import Glibc

/// Gives back to the kernel what only the start needed: free heap, and the pages of code that nothing runs any more.
///
/// Code is the file's own, so what is needed again is simply mapped again. The linker, the runtime's start and the
/// reading of profiles run once; kept resident they are half of the daemon.
enum StartMemory {
  static func release() {
    cl_trim_heap()
    guard let maps = Sysfs.text("/proc/self/maps") else { return }
    for line in maps.split(separator: "\n") {
      if let range = codeRange(line) {
        madvise(UnsafeMutableRawPointer(bitPattern: range.start), Int(range.end - range.start), MADV_DONTNEED)
      }
    }
  }

  /// The range of a line of `/proc/self/maps` if it maps a file's code, which is never written to.
  ///
  /// `7f0c8b1e6000-7f0c8b33c000 r-xp 00026000 fe:01 1234   /usr/lib/x86_64-linux-gnu/libc.so.6`
  static func codeRange(_ line: some StringProtocol) -> (start: UInt, end: UInt)? {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }).hasPrefix("/") else {
      return nil
    }
    let ends = fields[0].split(separator: "-")
    guard ends.count == 2, let start = UInt(ends[0], radix: 16), let end = UInt(ends[1], radix: 16), start < end else {
      return nil
    }
    return (start, end)
  }
}

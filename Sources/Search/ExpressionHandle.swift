internal import CPCRE

/// A compiled regular expression with bounds on what it may cost.
struct Expression: ~Copyable {
  private let code: OpaquePointer
  private let data: OpaquePointer
  private let context: OpaquePointer

  /// Steps of one match, and how deep it may remember; far above what an honest expression needs on a paragraph.
  private static let stepLimit: UInt32 = 1_000_000
  private static let heapLimit: UInt32 = 20_000

  /// - Throws: `badExpression`.
  init(_ pattern: String, isCaseless: Bool) throws(SearchError) {
    let bytes = Array(pattern.utf8)
    var error: Int32 = 0
    var position = 0
    let flags = PCRE_FLAGS | (isCaseless ? PCRE_CASELESS : 0)
    guard let code = pcre_compile(bytes, bytes.count, flags, &error, &position) else {
      throw .badExpression(reason: Self.text(of: error), position: Self.scalars(in: bytes, before: position))
    }
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil), let context = pcre2_match_context_create_8(nil)
    else { preconditionFailure("pcre2: no memory for a pattern of \(bytes.count) bytes") }
    pcre2_set_match_limit_8(context, Self.stepLimit)
    pcre2_set_heap_limit_8(context, Self.heapLimit)
    self.code = code
    self.data = data
    self.context = context
  }

  deinit {
    pcre2_match_context_free_8(context)
    pcre2_match_data_free_8(data)
    pcre2_code_free_8(code)
  }

  /// The first match at `start` or later that is not empty.
  ///
  /// - Throws: `tooExpensive`.
  func firstMatch(in bytes: [UInt8], from start: Int) throws(SearchError) -> Range<Int>? {
    let result = pcre2_match_8(code, bytes, bytes.count, start, PCRE_NOT_EMPTY, data, context)
    if result == PCRE_NO_MATCH { return nil }
    guard result > 0, let ends = pcre2_get_ovector_pointer_8(data) else { throw .tooExpensive }
    // "\K" can put the start behind the end.
    guard ends[0] < ends[1], ends[1] <= bytes.count else { return nil }
    return Int(ends[0])..<Int(ends[1])
  }

  private static func text(of error: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = pcre_error_text(error, &buffer, buffer.count)
    return length > 0 ? String(decoding: buffer[..<Int(length)], as: UTF8.self) : "error \(error)"
  }

  private static func scalars(in bytes: [UInt8], before position: Int) -> Int {
    bytes[..<min(position, bytes.count)].count { $0 & 0xC0 != 0x80 }
  }
}

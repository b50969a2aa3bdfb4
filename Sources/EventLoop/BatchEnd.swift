/// Work of a loop for the end of a wake-up.
///
/// The loop owns it until `invalidate`; dropping the last other reference does not end it.
public final class BatchEnd {
  /// It is to be done at the end of this wake-up. It becomes false before the work is done, so the work may set it again,
  /// for the next wake-up.
  public var isDue: Bool {
    get { list.due & bit != 0 }
    set { if newValue { list.due |= bit } else { list.due &= ~bit } }
  }

  /// 0 once it is invalid.
  fileprivate private(set) var bit: UInt64
  private let list: BatchEndList

  fileprivate init(bit: UInt64, list: BatchEndList) {
    self.bit = bit
    self.list = list
  }

  /// Takes the work out of its loop for good.
  public func invalidate() {
    guard bit != 0 else { return }
    list.remove(bit)
    bit = 0
  }
}

/// What a loop has to do at the end of its wake-ups. A wake-up in which nothing fell due costs one look.
final class BatchEndList {
  /// A bit for each that is due.
  fileprivate var due: UInt64 = 0
  private var always: UInt64 = 0
  /// By the number of the bit.
  private var works: [(() -> Void)?] = []

  @discardableResult
  func add(isAlwaysDue: Bool, _ work: @escaping () -> Void) -> BatchEnd {
    let index = works.firstIndex { $0 == nil } ?? works.count
    if index == works.count { works.append(work) } else { works[index] = work }
    precondition(index < 64, "at most 64 do something at the end of a wake-up")
    let end = BatchEnd(bit: 1 << UInt64(index), list: self)
    if isAlwaysDue { always |= end.bit }
    return end
  }

  fileprivate func remove(_ bit: UInt64) {
    due &= ~bit
    always &= ~bit
    works[bit.trailingZeroBitCount] = nil
  }

  func removeAll() {
    due = 0
    always = 0
    works = works.map { _ in nil }
  }

  /// Does what is due, in the order of adding.
  @inline(__always)
  func run() {
    var rest = due | always
    due = 0
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      works[index]?()
    }
  }
}

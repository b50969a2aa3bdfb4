/// Work of a loop for the end of a wake-up.
///
/// The loop owns it until `invalidate`; dropping the last other reference does not end it.
public final class BatchEnd {
  /// It is to be done at the end of this wake-up. It becomes false before the work is done, so the work may set it again,
  /// for the next wake-up.
  public var isDue = false {
    didSet { if isDue { list.isAnyDue = true } }
  }

  fileprivate let isAlwaysDue: Bool
  fileprivate let work: () -> Void
  private let list: BatchEndList

  fileprivate init(list: BatchEndList, isAlwaysDue: Bool, work: @escaping () -> Void) {
    self.list = list
    self.isAlwaysDue = isAlwaysDue
    self.work = work
  }

  /// Takes the work out of its loop for good.
  public func invalidate() { list.remove(self) }
}

/// What a loop has to do at the end of its wake-ups. A wake-up in which nothing fell due costs one look.
final class BatchEndList {
  fileprivate var isAnyDue = false
  private var ends: [BatchEnd] = []

  @discardableResult
  func add(isAlwaysDue: Bool, _ work: @escaping () -> Void) -> BatchEnd {
    let end = BatchEnd(list: self, isAlwaysDue: isAlwaysDue, work: work)
    ends.append(end)
    if isAlwaysDue { isAnyDue = true }
    return end
  }

  fileprivate func remove(_ end: BatchEnd) { ends.removeAll { $0 === end } }

  func removeAll() { ends = [] }

  @inline(__always)
  func run() { if isAnyDue { runDue() } }

  private func runDue() {
    isAnyDue = false
    var index = 0
    while index < ends.count {
      let end = ends[index]
      index += 1
      if end.isAlwaysDue {
        isAnyDue = true
        end.work()
      } else if end.isDue {
        end.isDue = false
        end.work()
      }
    }
  }
}

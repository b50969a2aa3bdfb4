internal import Document
internal import EventLoop
internal import Shelf

/// Keeps the place of a book on the shelf and brings it back: what both kinds of session share.
final class PlaceKeeper {
  private let content: any BookContent
  private let worker: ShelfWorker
  private let loop: EventLoop
  private var clock: ReadingClock
  private var registration: EventLoop.Registration?
  /// Where the book was left; told once, if at all.
  var onPlace: ((Place) -> Void)?
  var onMarks: (([Position]) -> Void)?
  var onMessage: ((String) -> Void)?
  private(set) var hasAnswered = false

  /// - Parameter dayBegins: the hour at which a day of reading begins.
  init(content: any BookContent, loop: EventLoop, dayBegins: Int) {
    self.content = content
    self.loop = loop
    clock = ReadingClock(calendar: .local(beginningAt: dayBegins), at: StandardStreams.wallClock)
    let outline = content.outline
    let facts = BookFacts(
      identity: outline.identity, path: UserPath.absolute(outline.path), title: outline.title,
      authors: outline.authors, language: outline.language ?? "")
    let path: Result<String, ShelfError>
    do throws(ShelfError) {
      path = .success(try DataFolder.libraryPath { Environment[$0] })
    } catch {
      path = .failure(error)
    }
    worker = ShelfWorker(path: path, book: facts, now: StandardStreams.wallClock)
  }

  func start() throws(SystemError) {
    registration = try loop.add(worker.descriptor, .readable) { [weak self] _ in self?.takeReports() }
  }

  /// Waits for the first answer, at most so long: the page where the book was left should be the first one seen.
  func waitForPlace(milliseconds: Int32) throws(SystemError) {
    let deadline = loop.now + UInt64(milliseconds) * 1000
    while !hasAnswered, loop.now < deadline {
      try loop.turn(milliseconds: Int32((deadline - loop.now) / 1000) + 1)
    }
  }

  private func takeReports() {
    for report in worker.reports() {
      switch report {
      case .opened(let opening):
        hasAnswered = true
        take(opening)
      case .readOnly(let progress):
        if let place = PositionFinder(content: content).place(ofKnown: progress.position) { onPlace?(place) }
      case .recovered:
        onMessage?("the place is saved again")
      case .failed(let error):
        hasAnswered = true
        onMessage?(error.description)
      }
    }
  }

  private func take(_ opening: Opening) {
    switch opening {
    case .new:
      break
    case .known(let entry):
      onMarks?(entry.marks.map(\.position))
      if let progress = entry.progress, let place = PositionFinder(content: content).place(ofKnown: progress.position) {
        onPlace?(place)
      }
    case .edition(_, let former):
      inherit(former)
    }
  }

  private func inherit(_ former: BookEntry) {
    guard former.progress != nil || !former.marks.isEmpty else { return }
    let finder = PositionFinder(content: content)
    func found(_ position: Position) -> Position? {
      guard let place = finder.place(ofInherited: position) else { return nil }
      var moved = position
      moved.spineIndex = place.spineIndex
      moved.idref = content.outline.spine[place.spineIndex].idref
      moved.offset = place.offset
      return moved
    }
    let marks = former.marks.compactMap { mark in
      found(mark.position).map { Mark(position: $0, note: mark.note, createdAt: mark.createdAt) }
    }
    var progress = former.progress
    if let position = progress?.position {
      if let moved = found(position) { progress?.position = moved } else { progress = nil }
    }
    worker.inherit(progress, marks: marks)
    onMarks?(marks.map(\.position))
    if let position = progress?.position {
      onPlace?(Place(spineIndex: position.spineIndex, offset: position.offset))
      onMessage?(
        "another edition of this book was here: its place\(marks.isEmpty ? " is" : " and marks are") taken over")
    } else if former.progress != nil {
      onMessage?("another edition of this book was here, but its place is not in this one")
    }
  }

  /// Another page is shown.
  func save(_ position: Position, fraction: Double) {
    worker.add(clock.turn(at: StandardStreams.wallClock))
    worker.save(Progress(position: position, fraction: fraction, updatedAt: StandardStreams.wallClock))
  }

  func addMark(_ position: Position) {
    worker.add(Mark(position: position, createdAt: StandardStreams.wallClock))
  }

  func removeMark(_ position: Position) {
    worker.removeMark(at: position)
  }

  /// Writes what is left; false when that took too long.
  func finish() -> Bool {
    if let registration { loop.remove(registration) }
    registration = nil
    worker.add(clock.stop(at: StandardStreams.wallClock))
    return worker.finish()
  }
}

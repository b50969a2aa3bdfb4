internal import Document
internal import ReaderIPC
internal import Search
internal import Shelf
internal import Terminal
internal import Typesetting

/// The reader's screen: keys, clicks and commands in; cells and effects out. No descriptor, no clock.
final class ReaderModel {
  /// What the owner is to do.
  enum Effect: Equatable {
    /// The place has changed by the reader's choice.
    case moved
    case quit
    case suspend
    case redraw
    case addMark(Position)
    case removeMark(Position)
    /// A setting of this name has been changed.
    case setting(String)
  }

  /// What lies over the page.
  enum Overlay {
    case contents(ListPanel)
    case marks(ListPanel)
    case results(ListPanel)
    case settings(ListPanel)
    case text(TextPanel, target: LinkTarget?)
    case prompt(Prompt)
  }

  struct LinkTarget: Equatable {
    var spineIndex: Int
    var fragment: String?
  }

  /// How long a message stays, in µs.
  static let messageTime: UInt64 = 5_000_000

  let content: any BookContent
  let pager: Pager
  var settings: ReaderSettings
  var depth: ColorDepth
  var overlay: Overlay?
  var hasControls = false
  var connection = ConnectionState.absent
  var marks: [Position] = []
  var search: SearchSession?
  /// The link that Tab has chosen on this page.
  var chosenLink: Int?
  private(set) var message: (text: String, deadline: UInt64)?
  private let turnsWords: Bool
  private(set) var window: (rows: Int, columns: Int)
  var effects: [Effect] = []
  var links = PageLinks()
  /// What can be clicked of the controls.
  var buttons: [(box: Box, action: Action)] = []
  var counter: PageCounter?
  /// nil: nothing is decoded; frames stand in the pictures' places.
  var pictures: PictureStore?
  private var lastWheel: UInt64 = 0

  enum Action: Equatable {
    case contents, search, page, marks, settings, theme, help, quit
    /// A place on the progress bar, 0...1.
    case fraction(Double)
  }

  init(
    content: any BookContent, settings: ReaderSettings, depth: ColorDepth, window: (rows: Int, columns: Int),
    turnsWords: Bool = false, place: Place? = nil
  ) {
    self.turnsWords = turnsWords
    self.content = content
    self.settings = settings
    self.depth = depth
    self.window = window
    let frame = StatusLayout(rows: window.rows, isShown: settings.showsStatus)
    pager = Pager(
      content: content, geometry: Geometry(columns: window.columns, rows: frame.pageRows),
      settings: settings.typesetting(
        language: content.outline.language, rows: frame.pageRows, turnsWords: turnsWords), place: place)
  }

  func typesetting(rows: Int) -> TypesettingSettings {
    settings.typesetting(language: content.outline.language, rows: rows, turnsWords: turnsWords)
  }

  var palette: Palette { settings.theme.palette(depth: depth) }
  var status: StatusLayout { StatusLayout(rows: window.rows, isShown: settings.showsStatus) }

  func takeEffects() -> [Effect] {
    defer { effects.removeAll() }
    return effects
  }

  // MARK: Outside events

  func resize(rows: Int, columns: Int) {
    window = (rows, columns)
    layOutAgain()
  }

  /// Grows with every change of the window or of a setting.
  private(set) var layoutNumber = 0

  /// After a change of the window or of a setting.
  func layOutAgain() {
    layoutNumber += 1
    chosenLink = nil
    counter = nil
    var typesetting = self.typesetting(rows: status.pageRows)
    if settings.showsImages, let pictures, pictures.form != .none {
      typesetting.images = .box
      typesetting.cellWidth = pictures.cellWidth
      typesetting.cellHeight = pictures.cellHeight
    }
    pager.resize(geometry: Geometry(columns: window.columns, rows: status.pageRows), settings: typesetting)
  }

  func say(_ text: String, now: UInt64) {
    message = (text, now + Self.messageTime)
  }

  /// When something changes by itself.
  var nextDeadline: UInt64? { message?.deadline }

  func advance(to now: UInt64) {
    if let message, message.deadline <= now { self.message = nil }
  }

  /// A small piece of what is to be done while nothing happens; false when there is nothing.
  func work() -> Bool {
    if let search, !search.isDone {
      search.step(content)
      showResults(search)
      return true
    }
    return pager.prepare(counter: &counter)
  }

  /// A command of a page turner.
  func handle(_ command: Command, now: UInt64) {
    if overlay != nil, steer(command) { return }
    switch command {
    case .next: turn(pager.next(), now: now)
    case .prev: turn(pager.previous(), now: now)
    case .nextChapter: turn(pager.nextChapter(), now: now)
    case .prevChapter: turn(pager.previousChapter(), now: now)
    case .first: turn(pager.first(), now: now)
    case .last: turn(pager.last(), now: now)
    case .back: goBack(now: now)
    case .toggle: hasControls.toggle()
    case .custom(let name): say("the command custom:\(name.text) has no meaning here", now: now)
    }
  }

  /// With a panel open the commands scroll and close it; false: this one does not concern it.
  private func steer(_ command: Command) -> Bool {
    switch command {
    case .back, .toggle:
      overlay = nil
      return true
    case .next, .prev:
      let forward = command == .next
      switch overlay {
      case .contents(var panel):
        panel.turn(forward: forward)
        overlay = .contents(panel)
      case .marks(var panel):
        panel.turn(forward: forward)
        overlay = .marks(panel)
      case .results(var panel):
        panel.turn(forward: forward)
        overlay = .results(panel)
      case .settings(var panel):
        panel.turn(forward: forward)
        overlay = .settings(panel)
      case .text(var panel, let target):
        panel.turn(forward: forward)
        overlay = .text(panel, target: target)
      case .prompt, nil:
        return false
      }
      return true
    case .nextChapter, .prevChapter, .first, .last, .custom:
      return false
    }
  }

  // MARK: Moving

  func turn(_ turn: Pager.Turn, now: UInt64) {
    chosenLink = nil
    switch turn {
    case .moved:
      effects.append(.moved)
    case .atStart:
      say("This is the first page.", now: now)
    case .atEnd:
      say(pager.left == nil ? "This is the last page." : "This part ends here; o goes back.", now: now)
    }
  }

  /// A wheel gives many notches at once on some devices; a page at a time is what can be read.
  func turnByWheel(forward: Bool, now: UInt64) {
    guard now &- lastWheel >= 60_000 else { return }
    lastWheel = now
    turn(forward ? pager.next() : pager.previous(), now: now)
  }

  func goBack(now: UInt64) {
    if pager.back() {
      chosenLink = nil
      effects.append(.moved)
    } else {
      say("There is nothing to go back to.", now: now)
    }
  }

  func go(to place: Place) {
    pager.jump(to: place)
    chosenLink = nil
    effects.append(.moved)
  }

  func go(to target: LinkTarget) {
    pager.jump(toFragment: target.fragment, of: target.spineIndex)
    chosenLink = nil
    effects.append(.moved)
  }

  /// Follows what was typed as a page: a number, or a percentage.
  func go(toPage text: String, now: UInt64) {
    let typed = text.filter { !$0.isWhitespace }
    guard !typed.isEmpty else { return }
    countAll()
    guard let pages = pager.map.pages else { return }
    if typed.hasSuffix("%"), let percent = Double(typed.dropLast()), percent.isFinite {
      guard (0...100).contains(percent) else {
        say("\(typed): expected 0% to 100%", now: now)
        return
      }
      go(toFraction: percent / 100)
      return
    }
    guard typed.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      say("\(typed) is no page: expected a number from 1 to \(pages), or a percentage", now: now)
      return
    }
    guard let number = Int(typed), let location = pager.map.location(ofPage: number) else {
      say("There is no page \(typed): this book has pages 1 to \(pages)", now: now)
      return
    }
    pager.jump(toPage: location.page, of: location.spineIndex)
    chosenLink = nil
    effects.append(.moved)
  }

  func go(toFraction fraction: Double) {
    countAll()
    guard let pages = pager.map.pages else { return }
    let number = min(pages, max(1, Int((fraction * Double(pages)).rounded(.up))))
    guard let location = pager.map.location(ofPage: number) else { return }
    pager.jump(toPage: location.page, of: location.spineIndex)
    chosenLink = nil
    effects.append(.moved)
  }

  /// A number can only be looked up when all pages are counted.
  private func countAll() {
    while !pager.map.isComplete, pager.prepare(counter: &counter) {}
  }

  // MARK: Search results

  func startSearch(_ term: String, now: UInt64) {
    do throws(SearchError) {
      search = try SearchSession(term)
      overlay = .results(ListPanel(title: "“\(term)”", items: [], emptyText: "searching …"))
    } catch {
      say(error.description, now: now)
    }
  }

  private func showResults(_ search: SearchSession) {
    guard case .results(let old) = overlay else { return }
    let items = search.results.map { result in
      let place = Place(spineIndex: result.spineIndex, offset: result.match.range.lowerBound)
      return ListPanel.Item(
        text: "\(result.match.before.suffix(24))\(result.match.text)\(result.match.after)",
        detail: pageNumber(of: place).map(String.init) ?? "")
    }
    var panel = ListPanel(
      title: "“\(search.term)”  \(items.count)\(search.isDone ? "" : " …")", items: items, selection: old.selection,
      emptyText: search.fault?.description ?? (search.isDone ? "not in this book" : "searching …"))
    panel.keepScroll(of: old)
    overlay = .results(panel)
  }

  /// The page of a place, where it can be said without laying anything out.
  private func pageNumber(of place: Place) -> Int? {
    guard place.spineIndex == pager.anchor.spineIndex, pager.layout.isComplete else { return nil }
    return pager.map.number(ofPage: pager.layout.page(of: place.offset), in: place.spineIndex)
  }

  func goToResult(forward: Bool, now: UInt64) {
    guard let search, !search.results.isEmpty else {
      say("There are no search results; / searches.", now: now)
      return
    }
    let shown = pager.shownRange
    let edge = Place(
      spineIndex: pager.anchor.spineIndex,
      offset: forward ? max(shown.lowerBound, shown.upperBound - 1) : shown.lowerBound)
    guard let index = search.neighbour(of: edge, forward: forward) else {
      say(forward ? "No further result." : "No earlier result.", now: now)
      return
    }
    let result = search.results[index]
    go(to: Place(spineIndex: result.spineIndex, offset: result.match.range.lowerBound))
    say("“\(search.term)”  \(index + 1) of \(search.results.count)", now: now)
  }

  // MARK: Marks

  func toggleMark(now: UInt64) {
    let shown = pager.shownRange
    let here = marks.filter { mark in
      mark.spineIndex == pager.anchor.spineIndex
        && (shown.contains(mark.offset) || mark.offset == pager.anchor.offset)
    }
    if here.isEmpty {
      let position = pager.position
      marks.append(position)
      marks.sort { ($0.spineIndex, $0.offset) < ($1.spineIndex, $1.offset) }
      effects.append(.addMark(position))
      say("Marked.", now: now)
    } else {
      marks.removeAll { here.contains($0) }
      for mark in here { effects.append(.removeMark(mark)) }
      say("The mark is removed.", now: now)
    }
  }

  var isMarked: Bool {
    let shown = pager.shownRange
    return marks.contains { $0.spineIndex == pager.anchor.spineIndex && shown.contains($0.offset) }
  }
}

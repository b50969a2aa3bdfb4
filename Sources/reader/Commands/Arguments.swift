internal import Search

/// What the command line asks for.
enum Invocation: Sendable, Equatable {
  case help
  case version
  case read(book: String, claims: Bool, window: WindowArguments)
  /// The guide that comes with the reader.
  case guide(claims: Bool, window: WindowArguments)
  case text(book: String, pages: PageSelection, window: WindowArguments)
  case show(book: String, page: Int, window: WindowArguments)
  case info(book: String, isJSON: Bool, window: WindowArguments)
  case search(book: String, term: String, options: SearchArguments, window: WindowArguments)
  case config
  case stats(isJSON: Bool)
}

enum PageSelection: Sendable, Equatable {
  /// From 1.
  case page(Int)
  case all
}

struct WindowArguments: Sendable, Equatable {
  var width = 80
  var height = 24
}

struct SearchArguments: Sendable, Equatable {
  var isJSON = false
  var options: SearchQuery.Options = []
  var limit = 10_000
}

extension Invocation {
  static let commands = ["guide", "text", "show", "info", "search", "config", "library", "feeds", "stats", "add"]

  /// - Parameter arguments: without the program's name.
  init(_ arguments: [String]) throws(ReaderError) {
    var scanner = ArgumentScanner(arguments)
    try scanner.scan()
    if scanner.has("--help") {
      self = .help
      return
    }
    if scanner.has("--version") {
      self = .version
      return
    }
    guard let first = scanner.words.first, first != "guide" else {
      if scanner.words.count > 1 { try scanner.expectWords(1, "guide") }
      try scanner.expectOptions(["--claim", "--width", "--height"])
      self = .guide(claims: scanner.has("--claim"), window: try scanner.window())
      return
    }
    // A book of the name of a command is opened as ./text
    guard Self.commands.contains(first) else {
      try scanner.expectWords(1, "BOOK")
      try scanner.expectOptions(["--claim", "--width", "--height"])
      self = .read(book: first, claims: scanner.has("--claim"), window: try scanner.window())
      return
    }
    switch first {
    case "text":
      try scanner.expectWords(2, "text BOOK")
      try scanner.expectOptions(["--width", "--height", "--page", "--all"])
      guard !scanner.has("--all") || scanner.value("--page") == nil else {
        throw .usage("--all and --page exclude each other")
      }
      let pages = scanner.has("--all") ? PageSelection.all : .page(try scanner.number("--page") ?? 1)
      self = .text(book: scanner.words[1], pages: pages, window: try scanner.window())
    case "show":
      try scanner.expectWords(2, "show BOOK")
      try scanner.expectOptions(["--width", "--height", "--page"])
      self = .show(book: scanner.words[1], page: try scanner.number("--page") ?? 1, window: try scanner.window())
    case "info":
      try scanner.expectWords(2, "info BOOK")
      try scanner.expectOptions(["--json", "--width", "--height"])
      self = .info(book: scanner.words[1], isJSON: scanner.has("--json"), window: try scanner.window())
    case "search":
      try scanner.expectWords(3, "search BOOK TERM")
      try scanner.expectOptions([
        "--json", "--regex", "--case", "--diacritics", "--words", "--limit", "--width", "--height",
      ])
      var options = SearchArguments()
      options.isJSON = scanner.has("--json")
      if scanner.has("--regex") { options.options.insert(.regularExpression) }
      if scanner.has("--case") { options.options.insert(.matchCase) }
      if scanner.has("--diacritics") { options.options.insert(.matchDiacritics) }
      if scanner.has("--words") { options.options.insert(.wholeWords) }
      if let limit = try scanner.number("--limit") {
        guard (1...1_000_000).contains(limit) else { throw .usage("--limit is 1 to 1000000") }
        options.limit = limit
      }
      self = .search(book: scanner.words[1], term: scanner.words[2], options: options, window: try scanner.window())
    case "config":
      try scanner.expectWords(1, "config")
      try scanner.expectOptions([])
      self = .config
    case "stats":
      try scanner.expectWords(1, "stats")
      try scanner.expectOptions(["--json"])
      self = .stats(isJSON: scanner.has("--json"))
    default:
      throw .usage("`reader \(first)` is not there yet")
    }
  }
}

/// Divides arguments into words and options; `--` ends the options.
struct ArgumentScanner {
  private(set) var words: [String] = []
  private var flags: Set<String> = []
  private var values: [String: String] = [:]
  private var arguments: [String]

  private static let valued: Set<String> = ["--width", "--height", "--page", "--limit"]
  private static let flagNames: Set<String> = [
    "--all", "--json", "--claim", "--help", "--version", "--regex", "--case", "--diacritics", "--words",
  ]
  private static let short = ["-h": "--help", "-V": "--version", "-p": "--page", "-w": "--width"]

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  mutating func scan() throws(ReaderError) {
    var index = 0
    var isOptionsOver = false
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if isOptionsOver || !argument.hasPrefix("-") || argument == "-" {
        words.append(argument)
        continue
      }
      if argument == "--" {
        isOptionsOver = true
        continue
      }
      var (name, value) = Self.split(argument)
      name = Self.short[name] ?? name
      if Self.flagNames.contains(name) {
        guard value == nil else { throw .usage("\(name) takes no value") }
        flags.insert(name)
      } else if Self.valued.contains(name) {
        if value == nil, index < arguments.count {
          value = arguments[index]
          index += 1
        }
        guard let value else { throw .usage("\(name) needs a number") }
        values[name] = value
      } else {
        let nearest = Spelling.nearest(to: name, among: (Self.valued.union(Self.flagNames)).sorted())
        throw .usage("no option \(name); did you mean \(nearest)?")
      }
    }
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }
  func value(_ name: String) -> String? { values[name] }

  func number(_ name: String) throws(ReaderError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text) else { throw .usage("\(name) needs a number, not `\(text)`") }
    return number
  }

  func window() throws(ReaderError) -> WindowArguments {
    var window = WindowArguments()
    if let width = try number("--width") { window.width = width }
    if let height = try number("--height") { window.height = height }
    guard (1...10_000).contains(window.width) else { throw .usage("--width is 1 to 10000") }
    guard (1...10_000).contains(window.height) else { throw .usage("--height is 1 to 10000") }
    return window
  }

  func expectWords(_ count: Int, _ shape: String) throws(ReaderError) {
    if words.count < count { throw .usage("expected `reader \(shape)`") }
    if words.count > count { throw .usage("`\(words[count])` is one argument too many") }
  }

  func expectOptions(_ names: Set<String>) throws(ReaderError) {
    for name in flags.union(values.keys).sorted() where !names.contains(name) {
      throw .usage("\(name) does not belong to this command")
    }
  }
}

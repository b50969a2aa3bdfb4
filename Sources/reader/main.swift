// Turns arguments into a run, and errors into one line and an exit code: nowhere else.
internal import EventLoop
internal import Glibc
internal import Terminal

@MainActor
func run() throws(ReaderError) {
  StandardStreams.ignoreBrokenPipes()
  switch try Invocation(Array(CommandLine.arguments.dropFirst())) {
  case .help:
    StandardStreams.write(Usage.text)
  case .version:
    StandardStreams.write(Usage.version + "\n")
  case .text(let book, let pages, let window):
    let command = TextCommand(content: try PublicationContent(path: book), window: window)
    switch pages {
    case .page(let number):
      StandardStreams.write(try command.text(ofPage: number) + "\n")
    case .all:
      try command.writePages { StandardStreams.write($0) }
    }
  case .show(let book, let page, let window):
    let text = TextCommand(content: try PublicationContent(path: book), window: window)
    let command = ShowCommand(
      text: text, settings: try SettingsStore.load(),
      depth: TerminalCapabilities(environment: { Environment[$0] }).depth)
    StandardStreams.write(try command.output(page: page))
  case .info(let book, let isJSON, let window):
    let command = InfoCommand(content: try PublicationContent(path: book), window: window)
    StandardStreams.write(isJSON ? command.json() : command.plainText())
  case .config:
    StandardStreams.write(SettingsFile.listing(try SettingsStore.load()))
  case .stats(let isJSON):
    let command = try StatsCommand(dayBegins: try SettingsStore.load().dayBegins)
    StandardStreams.write(isJSON ? command.json() : command.plainText())
  case .search(let book, let term, let options, let window):
    let command = SearchCommand(
      content: try PublicationContent(path: book), term: term, options: options, window: window)
    if options.isJSON {
      StandardStreams.write(try command.json())
    } else {
      try command.lines { StandardStreams.write($0 + "\n") }
    }
  case .read(let book, let claims, let window):
    try read(book, claims: claims, window: window)
  case .guide(let claims, let window):
    try read(try BundledFiles.guide(), claims: claims, window: window)
  }
}

@MainActor
func read(_ book: String, claims: Bool, window: WindowArguments) throws(ReaderError) {
  let content = try PublicationContent(path: book)
  let endingSignal: Int32?
  if StandardStreams.isInputTerminal, StandardStreams.isOutputTerminal {
    let (settings, fault) = SettingsStore.loadOrDefaults()
    endingSignal = try InteractiveSession(
      content: content, settings: settings, claims: claims, notice: fault?.description
    ).run()
  } else {
    endingSignal = try PrintSession(content: content, window: window, claims: claims).run()
  }
  if let endingSignal { StandardStreams.end(bySignal: endingSignal) }
}

do throws(ReaderError) {
  try run()
} catch {
  StandardStreams.complain(error.description)
  exit(error.exitCode)
}

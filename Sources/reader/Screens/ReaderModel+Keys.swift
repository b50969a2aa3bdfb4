internal import Search
internal import Document
internal import ReaderIPC
internal import Terminal

extension ReaderModel {
  func handle(_ event: TerminalEvent, now: UInt64) {
    switch event {
    case .key(let key, let modifiers):
      handle(key, modifiers, now: now)
    case .mouse(let mouse):
      handle(mouse, now: now)
    case .paste(let text):
      if case .prompt(var prompt) = overlay {
        prompt.insert(text)
        overlay = .prompt(prompt)
      }
    case .focus, .answer:
      break
    }
  }

  private func handle(_ key: TerminalEvent.Key, _ modifiers: TerminalEvent.Modifiers, now: UInt64) {
    if case .character(let scalar) = key, modifiers == .control {
      switch scalar {
      case "z":
        effects.append(.suspend)
        return
      case "l":
        effects.append(.redraw)
        return
      case "c":
        if case .prompt = overlay { break }
        effects.append(.quit)
        return
      default:
        break
      }
    }
    if overlay != nil {
      handleOverlay(key, modifiers, now: now)
    } else {
      handlePage(key, modifiers, now: now)
    }
  }

  // MARK: The page

  private func handlePage(_ key: TerminalEvent.Key, _ modifiers: TerminalEvent.Modifiers, now: UInt64) {
    let leftward = pager.outline.turnsToTheLeft
    switch key {
    case .enter where chosenLink != nil:
      follow(chosenLink, now: now)
    case .character(" ") where modifiers == .shift, .backspace:
      handle(.prev, now: now)
    case .character(" "), .pageDown, .down, .enter:
      handle(.next, now: now)
    case .pageUp, .up:
      handle(.prev, now: now)
    case .right where modifiers.isEmpty:
      handle(leftward ? .prev : .next, now: now)
    case .left where modifiers.isEmpty:
      handle(leftward ? .next : .prev, now: now)
    case .right:
      handle(leftward ? .prevChapter : .nextChapter, now: now)
    case .left:
      handle(leftward ? .nextChapter : .prevChapter, now: now)
    case .home:
      handle(.first, now: now)
    case .end:
      handle(.last, now: now)
    case .tab:
      chooseLink(forward: !modifiers.contains(.shift), now: now)
    case .escape:
      if chosenLink != nil {
        chosenLink = nil
      } else if hasControls {
        hasControls = false
      } else {
        search = nil
      }
    case .function(1):
      perform(.help, now: now)
    case .function(3):
      goToResult(forward: !modifiers.contains(.shift), now: now)
    case .character(let scalar):
      handleLetter(scalar, modifiers, now: now)
    case .insert, .delete, .function:
      break
    }
  }

  private func handleLetter(_ scalar: Unicode.Scalar, _ modifiers: TerminalEvent.Modifiers, now: UInt64) {
    if modifiers.contains(.control) {
      switch scalar {
      case "f", "d", "n": handle(.next, now: now)
      case "b", "u", "p": handle(.prev, now: now)
      case "o": handle(.back, now: now)
      default: break
      }
      return
    }
    guard modifiers.isDisjoint(with: [.alt, .command]) else { return }
    switch scalar {
    case "j", "n", "f", "l": handle(.next, now: now)
    case "k", "p", "b", "h": handle(.prev, now: now)
    case "g": handle(.first, now: now)
    case "G": handle(.last, now: now)
    case "]", "J", "L", "}": handle(.nextChapter, now: now)
    case "[", "K", "H", "{": handle(.prevChapter, now: now)
    case "o", "u": handle(.back, now: now)
    case "v": handle(.toggle, now: now)
    case "c", "t": perform(.contents, now: now)
    case "/": perform(.search, now: now)
    case ".": goToResult(forward: true, now: now)
    case ",": goToResult(forward: false, now: now)
    case ":": perform(.page, now: now)
    case "0"..."9": overlay = .prompt(Prompt(.page, text: String(scalar)))
    case "m": toggleMark(now: now)
    case "'", "M": perform(.marks, now: now)
    case "s": perform(.settings, now: now)
    case "T": perform(.theme, now: now)
    case "+", "=": change("width", forward: true, now: now)
    case "-": change("width", forward: false, now: now)
    case "i": showInformation()
    case "?": perform(.help, now: now)
    case "q": effects.append(.quit)
    default: break
    }
  }

  func perform(_ action: Action, now: UInt64) {
    hasControls = false
    switch action {
    case .contents: showContents()
    case .search: overlay = .prompt(Prompt(.search))
    case .page: overlay = .prompt(Prompt(.page))
    case .marks: showMarks()
    case .settings: showSettings(selection: 0)
    case .theme: change("theme", forward: true, now: now)
    case .help: overlay = .text(TextPanel(title: "Keys", hint: "Esc closes", text: Help.lines(connection)), target: nil)
    case .quit: effects.append(.quit)
    case .fraction(let fraction):
      hasControls = true
      go(toFraction: fraction)
    }
  }

  // MARK: What lies over the page

  private func handleOverlay(_ key: TerminalEvent.Key, _ modifiers: TerminalEvent.Modifiers, now: UInt64) {
    switch overlay {
    case .contents(var panel):
      let outcome = panel.handle(key, modifiers)
      overlay = .contents(panel)
      finishList(outcome, now: now)
    case .marks(var panel):
      let outcome = panel.handle(key, modifiers)
      overlay = .marks(panel)
      finishList(outcome, now: now)
    case .results(var panel):
      let outcome = panel.handle(key, modifiers)
      overlay = .results(panel)
      finishList(outcome, now: now)
    case .settings(var panel):
      let outcome = panel.handle(key, modifiers)
      overlay = .settings(panel)
      finishList(outcome, now: now)
    case .text(var panel, let target):
      let outcome = panel.handle(key)
      overlay = .text(panel, target: target)
      finishText(outcome, target)
    case .prompt(var prompt):
      let outcome = prompt.handle(key, modifiers)
      overlay = .prompt(prompt)
      finishPrompt(prompt.purpose, outcome, now: now)
    case nil:
      break
    }
  }

  func finishText(_ outcome: TextPanel.Outcome, _ target: LinkTarget?) {
    switch outcome {
    case .none: break
    case .close: overlay = nil
    case .follow:
      overlay = nil
      if let target { go(to: target) }
    }
  }

  private func finishPrompt(_ purpose: Prompt.Purpose, _ outcome: Prompt.Outcome, now: UInt64) {
    switch outcome {
    case .none:
      break
    case .cancel:
      overlay = nil
    case .submit(let text):
      overlay = nil
      switch purpose {
      case .page: go(toPage: text, now: now)
      case .search: if !text.isEmpty { startSearch(text, now: now) }
      }
    }
  }

  func finishList(_ outcome: ListPanel.Outcome, now: UInt64) {
    switch (overlay, outcome) {
    case (_, .none):
      break
    case (_, .close):
      overlay = nil
    case (.contents, .choose(let index)):
      let entry = pager.outline.contents[index]
      guard let spineIndex = entry.spineIndex else { return }
      overlay = nil
      if let offset = entry.offset {
        go(to: Place(spineIndex: spineIndex, offset: offset))
      } else {
        go(to: LinkTarget(spineIndex: spineIndex, fragment: entry.fragment))
      }
    case (.marks, .choose(let index)):
      overlay = nil
      go(to: Place(spineIndex: marks[index].spineIndex, offset: marks[index].offset))
    case (.results, .choose(let index)):
      guard let search, search.results.indices.contains(index) else { return }
      overlay = nil
      let result = search.results[index]
      go(to: Place(spineIndex: result.spineIndex, offset: result.match.range.lowerBound))
    case (.settings, .choose(let index)):
      change(SettingsFile.keys[index].name, forward: true, now: now)
      showSettings(selection: index)
    case (.settings, .change(let index, let forward)):
      change(SettingsFile.keys[index].name, forward: forward, now: now)
      showSettings(selection: index)
    case (_, .choose), (_, .change):
      break
    }
  }
}

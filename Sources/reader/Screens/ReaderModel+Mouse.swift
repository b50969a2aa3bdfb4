internal import ReaderIPC
internal import Terminal

extension ReaderModel {
  func handle(_ mouse: TerminalEvent.MouseEvent, now: UInt64) {
    switch overlay {
    case .contents(var panel):
      let outcome = panel.handle(mouse)
      overlay = .contents(panel)
      finishList(outcome, now: now)
    case .marks(var panel):
      let outcome = panel.handle(mouse)
      overlay = .marks(panel)
      finishList(outcome, now: now)
    case .results(var panel):
      let outcome = panel.handle(mouse)
      overlay = .results(panel)
      finishList(outcome, now: now)
    case .settings(var panel):
      let outcome = panel.handle(mouse)
      overlay = .settings(panel)
      finishList(outcome, now: now)
    case .text(var panel, let target):
      let outcome = panel.handle(mouse)
      overlay = .text(panel, target: target)
      finishText(outcome, target)
    case .prompt:
      if case .press = mouse.action { overlay = nil }
    case nil:
      handlePage(mouse, now: now)
    }
  }

  private func handlePage(_ mouse: TerminalEvent.MouseEvent, now: UInt64) {
    switch mouse.action {
    case .wheelDown, .wheelRight: turnByWheel(forward: true, now: now)
    case .wheelUp, .wheelLeft: turnByWheel(forward: false, now: now)
    case .press(0): click(mouse, now: now)
    case .press(1): handle(.toggle, now: now)
    case .press(2): handle(.back, now: now)
    case .press, .release, .move: break
    }
  }

  /// A link or a button under the pointer, else the thirds of the window.
  private func click(_ mouse: TerminalEvent.MouseEvent, now: UInt64) {
    if hasControls, let button = buttons.first(where: { $0.box.contains(row: mouse.row, column: mouse.column) }) {
      perform(button.action, now: now)
      return
    }
    if !hasControls, let link = links.index(row: mouse.row, column: mouse.column) {
      follow(link, now: now)
      return
    }
    let leftward = pager.outline.turnsToTheLeft
    if mouse.column < window.columns / 3 {
      handle(leftward ? .next : .prev, now: now)
    } else if mouse.column >= window.columns - window.columns / 3 {
      handle(leftward ? .prev : .next, now: now)
    } else {
      handle(.toggle, now: now)
    }
  }
}

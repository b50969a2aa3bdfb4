/// The sequences that switch a terminal into the reader's service and back.
enum TerminalModes {
  /// Alternate screen, no wrapping at the margin, mouse buttons (1000) in the form of 1006, bracketed paste, focus.
  static let enter = Array(
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?1004h\u{1B}[m\u{1B}[2J".utf8)

  /// Undoes `enter`, and what may have been cut off in the middle: a string, a synchronized update.
  static let leave = Array(
    ("\u{1B}\\\u{1B}[?2026l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[m\u{1B}[?25h"
      + "\u{1B}[?1049l").utf8)

  /// Asks for synchronized updates (2026), the size of a cell, and last for the attributes: every terminal answers
  /// those, so that their answer ends the waiting for the others.
  /// Sets a background of red, green and blue and asks which one is set: who does not know such colours says so.
  static let colorQuestion = Array("\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m".utf8)
  static let questions = Array("\u{1B}[?2026$p\u{1B}[16t\u{1B}[c".utf8)
  /// The same, with the question of kitty's graphics: a picture of one pixel that is not shown.
  static let graphicsQuestion = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)
}

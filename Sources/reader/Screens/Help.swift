/// What `?` shows.
enum Help {
  static func lines(_ connection: ConnectionState) -> [String] {
    [
      "next page          space  →  ↓  PgDn  n  j  Enter",
      "previous page      ←  ↑  PgUp  p  k  Backspace",
      "first, last page   Home g, End G",
      "next, prev chapter ]  [",
      "contents           c",
      "go to a page       type its number",
      "search             /   then . and , for the next and previous",
      "links and notes    Tab chooses, Enter follows, o goes back",
      "mark this page     m   and ' lists the marks",
      "settings           s   T changes the theme, + and - the width",
      "about this book    i",
      "controls           v, or a click in the middle of the page",
      "leave              q",
      "",
      "A click at the right turns the page, at the left back; the wheel",
      "turns, too. The place is kept by itself.",
      "",
      connection.explanation,
    ]
  }
}

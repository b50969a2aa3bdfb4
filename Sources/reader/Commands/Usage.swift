/// What `--help` and `--version` print.
enum Usage {
  static let version = "reader 0.1.0"

  static let text = """
    reader: reads EPUB books in the terminal, a page at a time.

    usage: reader BOOK [--claim]
           reader guide
           reader text BOOK [--page N | --all] [--width N] [--height N]
           reader show BOOK [--page N] [--width N] [--height N]
           reader info BOOK [--json] [--width N] [--height N]
           reader search BOOK TERM [--json] [--regex] [--case] [--diacritics] [--words] [--limit N]
           reader stats [--json]
           reader config

      BOOK        opens a book where it was left. Without a terminal each page is printed as it
                  is shown, and lines of standard input (next, prev, first ...) turn the pages
      guide       opens the guide to this program; so does reader without a book
      --claim     takes the page commands of pagerd, also without a terminal
      text        pages as plain text, a form feed between them (default: page 1)
      show        one page with colours and type styles
      info        title, authors, contents and page counts
      search      where a text stands, across lines and markup; case, quotes, dashes and accents
                  do not matter, unless asked for
      stats       today's reading, days in a row, and what it comes to
      config      the settings, as reader.conf has them
      --page N    1 is the first page
      --all       every page
      --width N   cells across (default 80)
      --height N  lines down (default 24)
      --help      this text
      --version   the version

    In a book: space or right turns the page, left turns back, ? shows all keys, q leaves.

    """
}

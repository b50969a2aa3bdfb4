internal import Document

extension ComputedStyle {
  /// What an element looks like before any style sheet speaks.
  mutating func applyDefaults(_ tag: Tag) {
    switch tag {
    case .html, .body, .section, .article, .nav, .aside, .header, .footer, .main, .hgroup, .figcaption, .form, .div,
      .fieldset, .legend, .details, .summary, .p, .dt, .frameset, .noframes, .optgroup, .option:
      display = .block
    case .address:
      display = .block
      text.insert(.italic)
    case .center:
      display = .block
      textAlign = .center
    case .h1, .h2, .h3, .h4, .h5, .h6:
      display = .block
      text.insert(.bold)
    case .blockquote, .figure, .hr:
      display = .block
      (marginTop, marginBottom) = (1, 1)
    case .pre, .listing, .xmp, .plaintext:
      display = .block
      whiteSpace = .pre
      text.insert(.code)
      (marginTop, marginBottom) = (1, 1)
    case .ul, .menu, .dir:
      display = .block
      // Disc, circle, square by depth, as long as nobody says otherwise.
      listStyle = listStyle <= 1 && isListInside ? listStyle + 1 : listStyle <= 2 && isListInside ? 2 : 0
    case .ol:
      display = .block
      listStyle = 3
    case .dl: display = .block
    case .dd:
      display = .block
      marginLeft = 2
    case .li: display = .listItem
    case .table:
      display = .table
      whiteSpace = .normal
      textAlign = nil
      textIndent = nil
      (marginTop, marginBottom) = (1, 1)
    case .caption:
      display = .caption
      textAlign = .center
    case .colgroup, .col: display = .column
    case .thead: display = .headerGroup
    case .tbody: display = .rowGroup
    case .tfoot: display = .footerGroup
    case .tr: display = .row
    case .td: display = .cell
    case .th:
      display = .cell
      text.insert(.bold)
    case .em, .i, .cite, .var, .dfn: text.insert(.italic)
    case .b, .strong: text.insert(.bold)
    case .u, .ins: isUnderlined = true
    case .s, .strike, .del: isStruck = true
    case .code, .samp, .kbd, .tt: text.insert(.code)
    case .mark: text.insert(.mark)
    case .sup: verticalAlign = .superscript
    case .sub: verticalAlign = .subscript
    case .button, .textarea: display = .inlineBlock
    case .head, .title, .base, .link, .meta, .style, .script, .template, .param, .source, .track, .area, .datalist,
      .rp, .dialog, .select:
      display = .none
    default: break
    }
  }

  /// What follows from the cascade's result.
  mutating func settle(_ tag: Tag) {
    // Lines that run down begin at the top: set across, that edge is the left one.
    if isVertical {
      (marginTop, marginRight, marginBottom, marginLeft) = (marginRight, marginBottom, marginLeft, marginTop)
    }
    if isUnderlined, tag != .a { text.insert(.underline) }
    if isStruck { text.insert(.strikethrough) }
    // Sheets that lay out `sup` by position reset its alignment; it is meant as raised all the same.
    if verticalAlign == .baseline, tag == .sup { verticalAlign = .superscript }
    if verticalAlign == .baseline, tag == .sub { verticalAlign = .subscript }
    switch verticalAlign {
    case .baseline: break
    case .superscript where !isBlockLevel:
      text.insert(.superscript)
      text.remove(.subscript)
    case .subscript where !isBlockLevel:
      text.insert(.subscript)
      text.remove(.superscript)
    case .superscript, .subscript: break
    }
    if tag == .li || tag == .ul || tag == .ol { isListInside = true }
  }
}

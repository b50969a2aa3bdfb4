/// The element names that mean something to a reader. A name outside of this list is `.other`.
///
/// The raw value is the index into a tree's table of names, so that a name compares as a number.
enum Tag: UInt16, CaseIterable, Sendable {
  case other = 0
  case html, head, body, title, base, link, meta, style, script, template, noscript
  case p, div, span, a, br, hr, wbr, img, picture, source, svg, image, math, object, embed, iframe, audio, video
  case track, canvas, map, area, param
  case h1, h2, h3, h4, h5, h6, hgroup, section, article, nav, aside, header, footer, main, address, figure
  case figcaption, blockquote, pre, code, samp, kbd, tt, `var`, cite, em, strong, i, b, u, s, strike, del, ins, mark
  case small, big, sub, sup, q, abbr, acronym, dfn, bdo, bdi, time, data, font, center
  case ul, ol, li, menu, dir, dl, dt, dd, details, summary
  case table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th
  case ruby, rb, rt, rp, rbc, rtc
  case form, input, button, select, option, optgroup, textarea, label, fieldset, legend, progress, meter, output
  case datalist, dialog, frameset, frame, noframes, xmp, listing, plaintext
  // Namespaced content of EPUB and SVG, by local name.
  case `switch`, `case`, `default`, trigger, text, tspan, desc, g, use, foreignObject

  /// The name as written, lower case but for SVG's `foreignObject`.
  var name: String { self == .other ? "" : "\(self)" }
}

/// The attribute names that mean something to a reader; see `Tag`.
enum AttributeName: UInt16, CaseIterable, Sendable {
  case other = 0
  case id, `class`, style, href, src, name, title, alt, lang, xmlLang, xmlID, dir, hidden, epubType, role, xlinkHref,
    rel
  case type, media, value, start, reversed, colspan, rowspan, align, valign, width, height, charset, content, httpEquiv
  case data, srcset, poster, controls, open, requiredNamespace, cite, datetime, summary, border, cellpadding, clear
  case compact, size, color, face, nowrap, scope, usemap, longdesc, ariaLabel, ariaHidden, alttext, display, separators
  case linethickness, viewBox, alternate

  /// The name as written; prefixes are those that are usual for the namespace.
  var name: String {
    switch self {
    case .other: ""
    case .xmlLang: "xml:lang"
    case .xmlID: "xml:id"
    case .epubType: "epub:type"
    case .xlinkHref: "xlink:href"
    case .httpEquiv: "http-equiv"
    case .requiredNamespace: "required-namespace"
    case .ariaLabel: "aria-label"
    case .ariaHidden: "aria-hidden"
    default: "\(self)"
    }
  }
}

internal import CXML

/// libxml2, used as a source of events only: it builds no tree, reads no DTD, loads nothing.
///
/// Source: libxml/parser.h and libxml/HTMLparser.h, SAX interface.
enum ParserHandle {
  /// Once a process; libxml2's own initialisation is not safe from several threads.
  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Parses UTF-8 text as XML.
  ///
  /// - Returns: nil if it is well-formed, else the first error with its line. The events up to it were delivered.
  ///
  /// - Parameter recovering: whether to go on behind an error.
  static func parseXML(
    _ source: UnsafeBufferPointer<UInt8>, into builder: TreeBuilder, recovering: Bool
  ) -> String? {
    guard isReady, let base = source.baseAddress, source.count < Int(Int32.max) else { return "the document is empty" }
    let state = ParserState(builder)
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { context, name, prefix, uri, namespaceCount, _, count, _, attributes in
      guard let name else { return }
      let state = ParserState.from(context)
      state.builder.startElement(
        UnsafeRawPointer(name), { String(cString: name) }, namespaces: Int(namespaceCount))
      if let attributes {
        for index in 0..<Int(count) { state.attribute(attributes + index * 5) }
      }
      state.stopIfNeeded()
    }
    handler.endElementNs = { context, _, _, _ in ParserState.from(context).builder.endElement() }
    handler.characters = { context, text, count in
      ParserState.from(context).builder.text(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.processingInstruction = { context, target, data in
      guard let target, let data, String(cString: target) == "xml-stylesheet" else { return }
      ParserState.from(context).styleSheet(String(cString: data))
    }
    handler.serror = { context, error in ParserState.from(context).note(error) }
    return withExtendedLifetime(state) {
      let created = base.withMemoryRebound(to: CChar.self, capacity: source.count) {
        xmlCreateMemoryParserCtxt($0, Int32(source.count))
      }
      guard let context = created else { return "no memory" }
      state.context = context
      let isWellFormed = withUnsafeMutablePointer(to: &handler) { handler in
        let own = context.pointee.sax
        context.pointee.sax = handler
        context.pointee.userData = Unmanaged.passUnretained(state).toOpaque()
        // Depth and size are limited by the builder, entities are gone from the source: libxml2's own limits, made
        // for its recursive tree code, would only reject honest books.
        var options = XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        // Without a DTD there are only XML's own five entities; those are to be replaced in attributes, too.
        options |= XML_PARSE_NOENT.rawValue
        if recovering { options |= XML_PARSE_RECOVER.rawValue }
        xmlCtxtUseOptions(context, Int32(options))
        xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
        xmlParseDocument(context)
        context.pointee.sax = own
        return context.pointee.wellFormed != 0
      }
      xmlFreeParserCtxt(context)
      if builder.mustStop { return nil }
      return isWellFormed ? nil : state.firstError ?? "not well-formed"
    }
  }

  /// Parses UTF-8 text as HTML; every input gives something.
  static func parseHTML(_ source: UnsafeBufferPointer<UInt8>, into builder: TreeBuilder) {
    guard isReady, let base = source.baseAddress, source.count < Int(Int32.max) else { return }
    let state = ParserState(builder)
    var handler = xmlSAXHandler()
    handler.startElement = { context, name, attributes in
      guard let name else { return }
      let state = ParserState.from(context)
      state.builder.startElement(UnsafeRawPointer(name), { htmlLocalName(String(cString: name)) })
      if var attribute = attributes {
        while let attributeName = attribute[0] {
          let value = attribute[1]
          let count = value.map { Int(xmlStrlen($0)) } ?? 0
          state.builder.attribute(
            htmlAttributeName(String(cString: attributeName)), UnsafeBufferPointer(start: value, count: count))
          attribute += 2
        }
      }
      state.stopIfNeeded()
    }
    handler.endElement = { context, _ in ParserState.from(context).builder.endElement() }
    handler.characters = { context, text, count in
      ParserState.from(context).builder.text(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { context, _ in
      let state = ParserState.from(context)
      state.builder.countError()
      state.stopIfNeeded()
    }
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    withExtendedLifetime(state) {
      let context = base.withMemoryRebound(to: CChar.self, capacity: source.count) {
        htmlCreateMemoryParserCtxt($0, Int32(source.count))
      }
      guard let context else { return }
      state.context = context
      withUnsafeMutablePointer(to: &handler) { handler in
        let own = context.pointee.sax
        context.pointee.sax = handler
        context.pointee.userData = Unmanaged.passUnretained(state).toOpaque()
        let options = HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        htmlCtxtUseOptions(context, Int32(options))
        xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
        htmlParseDocument(context)
        context.pointee.sax = own
      }
      htmlFreeParserCtxt(context)
    }
  }

  /// The character of an HTML entity's name; nil if there is none of that name.
  static func entity(_ name: String) -> Unicode.Scalar? {
    htmlEntityLookup(name).flatMap { Unicode.Scalar($0.pointee.value) }
  }
}

private func htmlLocalName(_ name: String) -> String {
  guard let colon = name.firstIndex(of: ":") else { return name }
  return String(name[name.index(after: colon)...])
}

private func htmlAttributeName(_ name: String) -> String {
  guard let colon = name.firstIndex(of: ":") else { return name }
  let prefix = name[..<colon]
  if prefix == "epub" || prefix == "xml" || prefix == "xlink" { return name }
  return prefix == "xmlns" ? name : String(name[name.index(after: colon)...])
}

/// What the C callbacks reach through their context pointer.
private final class ParserState {
  let builder: TreeBuilder
  var context: xmlParserCtxtPtr?
  private(set) var firstError: String?
  private var hasNamespaceError = false
  private var attributeCache: [AttributeKey: String] = [:]

  private struct AttributeKey: Hashable {
    var name: UnsafeRawPointer
    var prefix: UnsafeRawPointer?
    var uri: UnsafeRawPointer?
  }

  init(_ builder: TreeBuilder) { self.builder = builder }

  static func from(_ context: UnsafeMutableRawPointer?) -> ParserState {
    guard let context else { preconditionFailure("libxml2 called back without its context") }
    return Unmanaged<ParserState>.fromOpaque(context).takeUnretainedValue()
  }

  /// One attribute of five pointers: local name, prefix, namespace, start and end of the value.
  func attribute(_ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) {
    guard let name = fields[0], let start = fields[3], let end = fields[4] else { return }
    let key = AttributeKey(
      name: UnsafeRawPointer(name), prefix: fields[1].map { UnsafeRawPointer($0) },
      uri: fields[2].map { UnsafeRawPointer($0) })
    let known: String
    if let cached = attributeCache[key] {
      known = cached
    } else {
      known = Self.qualified(
        String(cString: name), prefix: fields[1].map { String(cString: $0) }, uri: fields[2].map { String(cString: $0) }
      )
      if attributeCache.count < 10_000 { attributeCache[key] = known }
    }
    builder.attribute(known, UnsafeBufferPointer(start: start, count: end - start))
  }

  private static func qualified(_ name: String, prefix: String?, uri: String?) -> String {
    switch uri {
    case "http://www.idpf.org/2007/ops": "epub:" + name
    case "http://www.w3.org/XML/1998/namespace": "xml:" + name
    case "http://www.w3.org/1999/xlink": "xlink:" + name
    case nil where prefix == "epub" || prefix == "xlink": prefix! + ":" + name
    default: name
    }
  }

  func styleSheet(_ data: String) {
    guard let address = pseudoAttribute("href", in: data) else { return }
    let type = pseudoAttribute("type", in: data)
    let isAlternate = pseudoAttribute("alternate", in: data) == "yes"
    if type == nil || type == "text/css", !isAlternate { builder.addStyleSheetInstruction(address) }
  }

  private func pseudoAttribute(_ name: String, in data: String) -> String? {
    let bytes = Array(data.utf8)
    let wanted = Array(name.utf8)
    var index = 0
    while index + wanted.count < bytes.count {
      let isStart = index == 0 || bytes[index - 1].isMarkupSpace
      if isStart, bytes[index..<index + wanted.count].elementsEqual(wanted) {
        var position = index + wanted.count
        while position < bytes.count, bytes[position].isMarkupSpace || bytes[position] == 0x3d { position += 1 }
        guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else { return nil }
        let quote = bytes[position]
        let value = bytes[(position + 1)...].prefix { $0 != quote }
        return String(decoding: value, as: UTF8.self)
      }
      index += 1
    }
    return nil
  }

  func note(_ error: UnsafePointer<xmlError>?) {
    guard firstError == nil, let error, error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    guard let message = error.pointee.message else { return }
    var text = String(cString: message)
    while text.last?.isWhitespace == true { text.removeLast() }
    let place = "line \(error.pointee.line): \(text)"
    // Names with undeclared prefixes or too many colons are wrong, but the document is well-formed all the same.
    if error.pointee.domain == Int32(XML_FROM_NAMESPACE.rawValue) {
      if !hasNamespaceError { builder.warn("a name is not right: \(place)") }
      hasNamespaceError = true
    } else {
      firstError = place
    }
  }

  func stopIfNeeded() {
    if builder.mustStop, let context { xmlStopParser(context) }
  }
}

/// Parses files of a book or feed: as XML if they are, else as HTML.
public enum MarkupParser {
  public enum Mode: Sendable {
    /// XML where it is well-formed, HTML where it is not.
    case xmlElseHTML
    /// XML; behind an error whatever can still be read.
    case xml
    case html
  }

  /// - Parameter encoding: the transport's charset, which overrides the document's.
  public static func parse(_ source: [UInt8], as mode: Mode, encoding: String? = nil) -> MarkupTree {
    let text = SourceText(source, encoding: encoding)
    let bytes = text.bytes
    return bytes.withUnsafeBufferPointer { buffer in
      var error: String?
      if mode != .html {
        let builder = TreeBuilder()
        builder.reserve(buffer.count)
        text.warnings.forEach(builder.warn)
        error = ParserHandle.parseXML(buffer, into: builder, recovering: mode == .xml)
        let isDeep = builder.depth > 1000
        if error == nil || mode == .xml || isDeep {
          builder.setWellFormed(error == nil)
          if let error { builder.warn("not well-formed XML: \(error)") }
          return builder.finish()
        }
      }
      let builder = TreeBuilder()
      builder.reserve(buffer.count)
      text.warnings.forEach(builder.warn)
      if let error { builder.warn("not well-formed XML, read as HTML: \(error)") }
      builder.setWellFormed(false)
      ParserHandle.parseHTML(buffer, into: builder)
      return builder.finish()
    }
  }
}

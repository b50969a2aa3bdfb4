import Document
import Markup

/// A document of hostile bytes; what it links in is the same bytes once more, as a style sheet.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  let resources = DocumentReader.Resources(styleSheet: { _, _ in (source: bytes, base: "") }, resolve: { $0 })
  for mode in [MarkupParser.Mode.xmlElseHTML, .html] {
    let document = DocumentReader.read(bytes, mode: mode, resources: resources)
    for (_, offset) in document.anchors { precondition(offset >= 0, "an anchor before the text") }
  }
  return 0
}

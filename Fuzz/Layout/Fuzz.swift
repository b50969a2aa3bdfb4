import Markup
import Typesetting

/// A chapter of hostile bytes in a hostile window: every line fits, and pages and places agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let data, size > 2 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 2, count: size - 2))
  let document = DocumentReader.read(bytes, mode: .html)
  let geometry = Geometry(columns: Int(data[0]), rows: Int(data[1]))
  var typesetter = ChapterTypesetter(document, geometry: geometry)
  typesetter.finish()
  let layout = typesetter.layout
  precondition(layout.pageCount >= 1, "a chapter without a page")
  for index in 0..<layout.pageCount {
    for line in layout.page(at: index).lines {
      precondition(line.width <= layout.frame.measure, "a line is wider than its page")
    }
    precondition(layout.page(of: layout.offset(ofPage: index)) <= index, "a page's first place is on a later page")
  }
  return 0
}

internal import CChafa
internal import ImageWorker

/// Chafa's canvas: turns pixels into sixels or into cells.
struct Canvas: ~Copyable {
  private let canvas: OpaquePointer
  private let request: ImageRequest

  /// - Parameter columns: the cells that the image covers.
  init(_ request: ImageRequest, columns: Int, rows: Int) throws(DecodingFailure) {
    guard let config = chafa_canvas_config_new() else { throw .unreadable }
    defer { chafa_canvas_config_unref(config) }
    chafa_canvas_config_set_geometry(config, Int32(columns), Int32(rows))
    chafa_canvas_config_set_cell_geometry(config, Int32(request.cellWidth), Int32(request.cellHeight))
    chafa_canvas_config_set_canvas_mode(config, CHAFA_CANVAS_MODE_TRUECOLOR)
    chafa_canvas_config_set_pixel_mode(
      config, request.form == .sixel ? CHAFA_PIXEL_MODE_SIXELS : CHAFA_PIXEL_MODE_SYMBOLS)
    chafa_canvas_config_set_bg_color(config, request.background)
    chafa_canvas_config_set_transparency_threshold(config, 0.5)
    guard let symbols = chafa_symbol_map_new() else { throw .unreadable }
    defer { chafa_symbol_map_unref(symbols) }
    // Halves and quarters: what every font draws without gaps.
    chafa_symbol_map_add_by_tags(symbols, ChafaSymbolTags(rawValue: CHAFA_SYMBOL_TAG_SPACE.rawValue))
    chafa_symbol_map_add_by_range(symbols, 0x2580, 0x259F)
    chafa_canvas_config_set_symbol_map(config, symbols)
    guard let canvas = chafa_canvas_new(config) else { throw .unreadable }
    self.canvas = canvas
    self.request = request
  }

  deinit { chafa_canvas_unref(canvas) }

  func draw(_ image: borrowing Pixbuf) throws(DecodingFailure) {
    let (width, height, stride) = (image.width, image.height, image.rowStride)
    try image.withBytes { bytes in
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, bytes, Int32(width), Int32(height), Int32(stride))
    }
  }

  /// The cells row by row.
  func cells(columns: Int, rows: Int) -> [RenderedImage.Cell] {
    var cells: [RenderedImage.Cell] = []
    cells.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        var (foreground, background) = (Int32(-1), Int32(-1))
        chafa_canvas_get_colors_at(canvas, Int32(column), Int32(row), &foreground, &background)
        let character = chafa_canvas_get_char_at(canvas, Int32(column), Int32(row))
        cells.append(
          RenderedImage.Cell(
            character: Unicode.Scalar(character) ?? " ", foreground: Canvas.color(foreground),
            background: Canvas.color(background)))
      }
    }
    return cells
  }

  private static func color(_ packed: Int32) -> UInt32? { packed < 0 ? nil : UInt32(packed) & 0xFF_FFFF }

  /// The sixels, without the control sequence around them.
  func sixels() throws(DecodingFailure) -> [UInt8] {
    guard let terminal = chafa_term_info_new() else { throw .unreadable }
    defer { chafa_term_info_unref(terminal) }
    // The sequence is put around it by whoever shows it; here "<0;1;0q" and ">" mark the ends.
    chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS, "<%1;%2;%3q", nil)
    chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_END_SIXELS, ">", nil)
    guard let text = chafa_canvas_print(canvas, terminal) else { throw .unreadable }
    defer { g_string_free(text, 1) }
    let bytes = UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len))
    guard let start = bytes.firstIndex(of: UInt8(ascii: "q")), let end = bytes.lastIndex(of: UInt8(ascii: ">")),
      start < end
    else { throw .unreadable }
    return Array(bytes[(start + 1)..<end])
  }

  /// One thread: the worker may not start others once it is shut in, and one is enough for a page.
  static func useOneThread() { chafa_set_n_threads(1) }
}

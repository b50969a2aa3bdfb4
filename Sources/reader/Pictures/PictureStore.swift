internal import EventLoop
internal import ImageWorker

/// The pictures of the pages that are shown, decoded beside the loop when they are first asked for.
final class PictureStore {
  struct Key: Hashable {
    var source: String
    var columns: Int
    var rows: Int
  }

  enum State {
    /// It will be there later; `onChange` tells.
    case pending
    case shown(RenderedImage, id: UInt32)
    case failed
  }

  /// Decoded pictures that are kept, in bytes and in number; the ones used last stay.
  private static let byteLimit = 48 << 20
  private static let countLimit = 64

  private struct Entry {
    var state: State
    var use: UInt64
    var bytes: Int
  }

  private let worker: ImageWorker
  private let load: (String) -> [UInt8]?
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0
  private var lastID: UInt32 = 0
  private(set) var form = PictureForm.none
  /// In pixels.
  private(set) var cellWidth = 8
  private(set) var cellHeight = 16
  private var background: UInt32 = 0xFFFFFF
  /// A picture has come or failed: the page wants drawing.
  var onChange: () -> Void = {}

  /// - Parameter load: the bytes of an image of the book.
  init(loop: EventLoop, worker: String, load: @escaping (String) -> [UInt8]?) {
    self.worker = ImageWorker(loop: loop, path: worker)
    self.load = load
  }

  func stop() { worker.stop() }

  /// How pictures are shown from now on; what was decoded for another way is dropped.
  func use(_ form: PictureForm, cellWidth: Int?, cellHeight: Int?, background: UInt32) {
    let cell = (cellWidth ?? 8, cellHeight ?? 16)
    guard form != self.form || cell != (self.cellWidth, self.cellHeight) || background != self.background else {
      return
    }
    self.form = form
    (self.cellWidth, self.cellHeight) = cell
    self.background = background
    entries.removeAll()
    worker.dropQueued()
  }

  /// Another page is shown: what was asked for and not begun is not wanted any more.
  func forgetPending() {
    worker.dropQueued()
    entries = entries.filter { if case .pending = $0.value.state { false } else { true } }
  }

  /// The picture for a box of cells; asks for it when it is not there.
  func picture(_ key: Key) -> State {
    guard let form = form.request else { return .failed }
    uses += 1
    if let entry = entries[key] {
      entries[key]?.use = uses
      return entry.state
    }
    entries[key] = Entry(state: .pending, use: uses, bytes: 0)
    guard let bytes = load(key.source) else {
      entries[key]?.state = .failed
      return .failed
    }
    let request = ImageRequest(
      form: form, columns: key.columns, rows: key.rows, cellWidth: cellWidth, cellHeight: cellHeight, enlargement: 4,
      background: background)
    let usedForm = self.form
    worker.render(bytes, request) { [weak self] result in
      guard let self, self.form == usedForm else { return }
      self.take(result, for: key)
    }
    // A worker that cannot be started has answered already.
    return entries[key]?.state ?? .pending
  }

  private func take(_ result: Result<RenderedImage, ImageError>, for key: Key) {
    switch result {
    case .success(let image):
      lastID = lastID == .max ? 1 : lastID + 1
      entries[key] = Entry(state: .shown(image, id: lastID), use: uses, bytes: image.byteCount)
    case .failure:
      entries[key] = Entry(state: .failed, use: uses, bytes: 0)
    }
    evict()
    onChange()
  }

  private func evict() {
    var total = entries.values.reduce(0) { $0 + $1.bytes }
    while total > Self.byteLimit || entries.count > Self.countLimit {
      // Not the one that has just come, or a page of large pictures would never be shown.
      let oldest = entries.filter { $0.value.use < uses }.min { $0.value.use < $1.value.use }
      guard let oldest else { return }
      total -= oldest.value.bytes
      entries[oldest.key] = nil
    }
  }
}

extension RenderedImage {
  /// Whether it is drawn with characters, which other text can cover.
  var isText: Bool {
    switch content {
    case .pixels, .sixel: false
    case .symbols: true
    }
  }

  var byteCount: Int {
    switch content {
    case .pixels(let bytes), .sixel(let bytes): bytes.count
    case .symbols(let cells): cells.count * 12
    }
  }
}

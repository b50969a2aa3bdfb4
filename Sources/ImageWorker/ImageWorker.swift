public import EventLoop

/// Decodes images in a confined process, one after the other, beside the loop.
///
/// The process is started with the first image and ended when there was none for half a minute. An image that kills
/// it, or takes longer than ten seconds, costs itself only: the next one gets a new process.
public final class ImageWorker {
  public typealias Completion = (Result<RenderedImage, ImageError>) -> Void

  private struct Job {
    let request: ImageRequest
    let image: [UInt8]
    let completion: Completion
  }

  /// In µs.
  private static let timeLimit: UInt64 = 10_000_000
  private static let idleLimit: UInt64 = 30_000_000

  private let loop: EventLoop
  private let path: String
  private var jobs: [Job] = []
  private var isWorking = false
  private var process: WorkerProcess?
  private var registration: EventLoop.Registration?
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var incoming: [UInt8] = []
  private lazy var timer = loop.makeTimer { [weak self] in self?.timeIsUp() }

  /// - Parameter path: the worker's executable. It is not looked at before the first image.
  public init(loop: EventLoop, path: String) {
    self.loop = loop
    self.path = path
  }

  /// Ends the process. Images not yet shown are dropped without an answer.
  public func stop() {
    jobs.removeAll()
    isWorking = false
    endProcess()
    timer.invalidate()
  }

  /// Queues an image; `completion` is called from the loop, once, also when this fails at once.
  public func render(_ image: [UInt8], _ request: ImageRequest, completion: @escaping Completion) {
    jobs.append(Job(request: request, image: image, completion: completion))
    if !isWorking { startNext() }
  }

  /// Drops what is queued but not begun, without an answer: the page has been turned.
  public func dropQueued() {
    jobs.removeSubrange((isWorking ? min(1, jobs.count) : 0)...)
  }

  private func startNext() {
    guard let job = jobs.first else {
      timer.deadline = process == nil ? nil : loop.now + Self.idleLimit
      return
    }
    isWorking = true
    timer.deadline = loop.now + Self.timeLimit
    guard job.image.count <= ImageRequest.byteLimit else { return finish(.failure(.tooLarge(bytes: job.image.count))) }
    incoming.removeAll()
    outgoing = job.request.header(byteCount: job.image.count) + job.image
    sent = 0
    do throws(ImageError) {
      try startProcess()
    } catch {
      return finish(.failure(error))
    }
    transfer(.writable)
  }

  private func startProcess() throws(ImageError) {
    guard process == nil else { return }
    let started = try WorkerProcess(path: path)
    do throws(SystemError) {
      registration = try loop.add(started.socket.rawValue, [.readable, .writable]) { [weak self] readiness in
        self?.transfer(readiness)
      }
    } catch {
      throw .noWorker(error.description)
    }
    process = consume started
  }

  private func endProcess() {
    if let registration { loop.remove(registration) }
    registration = nil
    process = nil
  }

  /// Writes what is left of the image and reads what has come of the answer.
  private func transfer(_ readiness: Readiness) {
    guard let fd = process?.socket.rawValue, let registration else { return }
    guard isWorking, let request = jobs.first?.request else {
      // Nobody asked: the process has ended by itself, or babbles.
      return endProcess()
    }
    do throws(SystemError) {
      if sent < outgoing.count {
        switch try Descriptor.send(fd, outgoing, from: sent) {
        case .bytes(let count): sent += count
        case .wouldBlock: break
        case .closed: return finish(.failure(.workerFailed), endingProcess: true)
        }
      }
      try loop.modify(registration, sent < outgoing.count ? [.readable, .writable] : .readable)
      guard !readiness.isDisjoint(with: [.readable, .hangUp, .error]) else { return }
      switch try Descriptor.receive(fd, appendingTo: &incoming, limit: 1 << 16) {
      case .wouldBlock: return
      case .closed: return finish(.failure(.workerFailed), endingProcess: true)
      case .bytes: break
      }
    } catch {
      return finish(.failure(.workerFailed), endingProcess: true)
    }
    do throws(ImageError) {
      guard let length = try ImageResponse.length(incoming), incoming.count >= length else { return }
      guard incoming.count == length, sent == outgoing.count else { throw .workerFailed }
      finish(.success(try ImageResponse.read(incoming, to: request)))
    } catch {
      finish(.failure(error), endingProcess: error == .workerFailed)
    }
  }

  private func timeIsUp() {
    if isWorking {
      finish(.failure(.workerFailed), endingProcess: true)
    } else {
      endProcess()
    }
  }

  private func finish(_ result: Result<RenderedImage, ImageError>, endingProcess: Bool = false) {
    if endingProcess { endProcess() }
    let job = jobs.removeFirst()
    outgoing = []
    incoming = []
    isWorking = false
    job.completion(result)
    if !isWorking { startNext() }
  }
}

public import EventLoop
public import PageKeys
public import ReaderIPC

/// Looks at the machine's devices without a daemon: lists them, and shows what those send that may be opened.
///
/// Devices that another program has grabbed show nothing.
public final class RawWatcher {
  /// One event node.
  public struct Node: Sendable, Equatable {
    public var path: String
    public var name: String
    public var description: NodeDescription
  }

  public private(set) var nodes: [Node] = []
  private let loop: EventLoop
  private let bench = Workbench()
  private var observed: [ObservedNode] = []

  /// Lists the nodes, those of pagerds left out; opens none.
  public init(loop: EventLoop) throws(SystemError) {
    self.loop = loop
    let found = try Udev().eventNodes().sorted { RawWatcher.number($0) < RawWatcher.number($1) }
    for node in found {
      let description = NodeDescription(sysfs: node)
      guard !description.phys.hasPrefix(Uinput.physPrefix) else { continue }
      nodes.append(Node(path: node.path, name: description.name, description: description))
      parents.append(node.parent)
      seats.append(node.seat)
    }
  }

  private var parents: [String] = []
  private var seats: [String] = []

  private static func number(_ node: FoundNode) -> Int { Int(node.sysname.dropFirst(5)) ?? 0 }

  /// What a daemon with this configuration would make of each remote.
  public func statuses(_ configuration: Configuration) -> [DeviceStatus] {
    var groups: [[Int]] = []
    for index in nodes.indices {
      let identity = RemoteIdentity(nodes[index].description)
      let known = groups.firstIndex { group in
        identity != nil && RemoteIdentity(nodes[group[0]].description) == identity && seats[group[0]] == seats[index]
      }
      if let known { groups[known].append(index) } else { groups.append([index]) }
    }
    return groups.map { group in
      let descriptions = group.map { nodes[$0].description }
      let settings = configuration.settings(for: descriptions)
      let verdicts = group.map { index in
        judge(
          nodes[index].description,
          siblings: nodes.indices.filter { $0 != index && parents[$0] == parents[index] }.map { nodes[$0].description },
          settings: settings)
      }
      let verdict = verdicts.first { $0.role != .ignore } ?? verdicts[0]
      return DeviceStatus(
        name: RemoteIdentity.name(of: descriptions), nodes: group.map { nodes[$0].path },
        role: DeviceRole(verdict.role),
        state: verdict.role == .ignore ? .ignored : .ready, seat: seats[group[0]], detail: verdict.reason,
        batteryPercent: Sysfs.batteryPercent(of: parents[group[0]]))
    }
  }

  /// The node with this path, or the first with this name.
  public func node(_ word: String) -> Node? {
    nodes.first { $0.path == word } ?? nodes.first { $0.name == word }
  }

  /// The description with the ranges of the axes, which only the opened node tells.
  public func description(of node: Node) throws(SystemError) -> NodeDescription {
    var description = node.description
    description.addAxes(of: try EvdevDevice(path: node.path))
    return description
  }

  /// Shows the events of the nodes from now on.
  ///
  /// - Returns: the nodes that cannot be opened, and why.
  public func watch(_ nodes: [Node], onEvent: @escaping (InputEvent, Node) -> Void) -> [SystemError] {
    var failures: [SystemError] = []
    for node in nodes {
      do throws(SystemError) {
        let opened = try ObservedNode(path: node.path, loop: loop, bench: bench) { event in
          if let event { onEvent(event, node) }
        }
        observed.append(opened)
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}

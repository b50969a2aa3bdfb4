import PageKeys
import ReaderIPC
import Testing

/// Whatever goes in: nothing stays down, presses and releases balance, commands never exceed presses.
@Suite struct PropertyTests {
  /// A device that obeys the kernel's rules: no event without a change.
  private struct Device {
    var keys: Set<UInt16> = []
    var axes: [UInt16: Int32] = [:]
    var touching = false
    var presses = 0

    static let codes: [UInt16] = [30, 48, 114, 115, 116, 0x102, 28, 103, 108, 0x130]

    mutating func events(_ seed: inout Seed, _ kind: Int) -> [(UInt16, UInt16, Int32)] {
      var events: [(UInt16, UInt16, Int32)] = []
      for _ in 0...(seed.next() % 3) {
        switch kind == 0 ? 0 : seed.next() % 5 {
        case 0, 1:
          let code = Device.codes[Int(seed.next() % UInt64(Device.codes.count))]
          if seed.next() % 2 == 0 { events.append((4, 4, Int32(code))) }
          let isDown = keys.remove(code) == nil
          if isDown { keys.insert(code) }
          // A change of the latch key counts in both directions.
          if isDown || code == 0x102 { presses += 1 }
          events.append((1, code, isDown ? 1 : 0))
          if isDown, seed.next() % 8 == 0 {
            keys.remove(code)
            if code == 0x102 { presses += 1 }
            events.append((1, code, 0))
          }
        case 2:
          let code: UInt16 = [0, 1, 0x10][Int(seed.next() % 3)]
          let value = [-32768, -9000, 0, 130, 17000, 32767][Int(seed.next() % 6)]
          if axes[code] == Int32(value) { continue }
          axes[code] = Int32(value)
          presses += 1
          events.append((3, code, Int32(value)))
        case 3:
          let value = Int32(seed.next() % 5) - 2
          if value == 0 { continue }
          presses += Int(value.magnitude)
          events.append((2, 8, value))
        default:
          if let code = keys.randomElement(using: &seed) { events.append((1, code, 2)) }
        }
      }
      return events
    }
  }

  static let settings = [
    "", "debounce = 20ms", "hold VOLUMEDOWN = last\ndouble VOLUMEUP = first", "latch BTN_2\nBTN_2 = next\nENTER = none",
    "VOLUMEUP+VOLUMEDOWN = first\nhold UP = last\ndebounce = 5ms", "double DOWN = first\npass = ENTER\nswallow = POWER",
  ]

  private static func node(_ name: String) -> NodeDescription {
    var node = Rig.keyboard(name)
    node.setAxis(0, AxisTests.stick)
    node.setAxis(1, AxisTests.stick)
    node.setAxis(0x10, AxisInfo(minimum: -32768, maximum: 32767))
    return node
  }

  @Test(arguments: Array(UInt64(1)...60), [Role.pageTurner, .shared])
  func nothingStaysDown(_ number: UInt64, _ role: Role) {
    var seed = Seed(number)
    let lines = PropertyTests.settings[Int(number) % PropertyTests.settings.count]
    let count = 1 + Int(seed.next() % 3)
    let rig = Rig(lines, role: role, nodes: (0..<count).map { PropertyTests.node("n\($0)") })
    var devices = (0..<count).map { _ in Device() }
    var time: UInt64 = 0
    var deadline: UInt64 = 0
    for _ in 0..<400 {
      time += [100, 3_000, 17_000, 60_000, 400_000][Int(seed.next() % 5)]
      switch seed.next() % 24 {
      case 0:
        rig.routed.toggle()
        if !rig.routed { rig.cancelGestures() }
        for node in 0..<count { rig.catchUp(node, at: time) }
      case 1: rig.advance(to: time)
      case 2:
        // The kernel's buffer overflowed: libevdev makes up what changed.
        let node = Int(seed.next() % UInt64(count))
        let before = devices[node]
        _ = devices[node].events(&seed, 0)
        devices[node].presses = before.presses
        let changed = devices[node].keys.symmetricDifference(before.keys).sorted()
        rig.invent(changed.map { (1, $0, devices[node].keys.contains($0) ? 1 : 0) }, at: time, node: node)
      default:
        let node = Int(seed.next() % UInt64(count))
        rig.frame(devices[node].events(&seed, 1), at: time, node: node)
      }
      for node in 0..<count { check(rig, node, devices[node]) }
      if let next = rig.nextDeadline { deadline = next } else { deadline = 0 }
      if deadline != 0, seed.next() % 4 == 0 { rig.advance(to: min(deadline, time)) }
    }
    for node in 0..<count {
      for code in devices[node].keys.sorted() { rig.key(code, 0, at: time + 1, node: node) }
      #expect(rig.clones[node]?.keys.isEmpty == true, "all is released: \(number)")
      #expect(rig.clones[node]?.presses == rig.clones[node]?.releases)
      #expect(!rig.isDown(node))
    }
    rig.advance(to: time + 60_000_000)
    #expect(rig.nextDeadline == nil)
    #expect(rig.commands.count <= devices.reduce(0) { $0 + $1.presses })
    rig.routed = false
    for node in 0..<count {
      rig.catchUp(node, at: time + 2)
      for (code, value) in devices[node].axes where rig.clones[node]?.axes[code] != nil {
        // What is still in a swallowed throw is left as it was.
        if abs(Int(value)) < 9000 { #expect(rig.clones[node]?.axes[code] == value) }
      }
    }
  }

  private func check(_ rig: Rig, _ node: Int, _ device: Device) {
    guard let clone = rig.clones[node] else { return }
    #expect(clone.keys.isSubset(of: device.keys), "the clone holds nothing that the device does not hold")
    #expect(clone.framesWithoutEnd == 0)
  }

  @Test(arguments: Array(UInt64(1)...40)) func nothingIsHeldAfterTheDeviceIsGone(_ number: UInt64) {
    var seed = Seed(number &* 77)
    let lines = PropertyTests.settings[Int(number) % PropertyTests.settings.count]
    let rig = Rig(lines, role: number % 2 == 0 ? .shared : .pageTurner, nodes: [PropertyTests.node("n")])
    var time: UInt64 = 0
    for _ in 0..<50 {
      var device = Device()
      for _ in 0..<(seed.next() % 20) {
        time += 30_000
        rig.routed = seed.next() % 3 != 0
        rig.frame(device.events(&seed, 1), at: time)
      }
      rig.detach(at: time + 1)
      #expect(rig.clones[0]?.keys.isEmpty == true)
      #expect(rig.nextDeadline == nil)
      #expect(rig.attach(PropertyTests.node("n"), role: .shared) == 0)
    }
  }

  /// Anything at all, also what no kernel sends: no trap, no growth without bound, an end to every deadline.
  @Test(arguments: Array(UInt64(1)...40)) func noiseIsHarmless(_ number: UInt64) {
    var seed = Seed(number &* 1_000_003)
    let nodes = [PropertyTests.node("a"), TouchTests.pen(), TouchTests.fingers(), ScanTests.remote()]
    let lines = PropertyTests.settings[Int(number) % PropertyTests.settings.count] + "\nrepeat = 400ms/150ms"
    let rig = Rig(lines, nodes: nodes, reports: number % 2 == 0)
    for _ in 0..<400 {
      let node = Int(seed.next() % 5)
      var events: [(UInt16, UInt16, Int32)] = []
      for _ in 0..<(seed.next() % 6) {
        let type = [0, 1, 1, 2, 3, 3, 4, 5, 17, 21, 31, UInt16(truncatingIfNeeded: seed.next())][Int(seed.next() % 12)]
        let code = seed.next() % 3 == 0 ? UInt16(truncatingIfNeeded: seed.next()) : UInt16(seed.next() % 0x60)
        let value = [0, 1, 2, -1, Int32.max, Int32.min, Int32(truncatingIfNeeded: seed.next())][Int(seed.next() % 7)]
        events.append((type, code, value))
      }
      rig.routed = seed.next() % 4 != 0
      let time = seed.next() % 8 == 0 ? seed.next() : seed.next() % 100_000_000
      if seed.next() % 10 == 0 {
        rig.invent(events, at: time, node: node)
      } else {
        rig.frame(events, at: time, node: node)
      }
      if seed.next() % 6 == 0 { rig.advance(to: seed.next() % 200_000_000) }
      if seed.next() % 40 == 0 { rig.cancelGestures() }
      if seed.next() % 40 == 0 { rig.catchUp(node, at: time) }
      if seed.next() % 60 == 0 { rig.synchronise(node, with: NodeState(), at: time) }
    }
    for node in nodes.indices { rig.detach(node, at: 200_000_000) }
    rig.advance(to: .max)
    #expect(rig.nextDeadline == nil)
    for node in nodes.indices { #expect(rig.clones[node]?.keys == []) }
  }
}

import PageKeys
import Testing

@Suite struct IdentityTests {
  private func node(
    _ name: String, uniq: String = "", phys: String = "", bus: UInt16 = Bus.usb, id: (UInt16, UInt16) = (1, 2)
  ) -> NodeDescription {
    NodeDescription(name: name, phys: phys, uniq: uniq, bus: bus, vendor: id.0, product: id.1)
  }

  private func areOne(_ one: NodeDescription, _ other: NodeDescription) -> Bool {
    guard let first = RemoteIdentity(one), let second = RemoteIdentity(other) else { return false }
    return first == second
  }

  @Test func equalIdentifiersAreOneRemote() {
    let bus = Bus.bluetooth
    #expect(
      areOne(node("X", uniq: "E4:17:D8:00:00:01", bus: bus), node("X Mouse", uniq: "e4:17:d8:00:00:01", bus: bus)))
    #expect(areOne(node("X", uniq: "E4:17:D8:00:00:01", bus: bus), node("X", uniq: "E4:17:D8:00:00:01/P", bus: bus)))
    #expect(areOne(node("X", uniq: "e4:17:d8:00:00:01", bus: bus), node("X", uniq: "E4:17:D8:00:00:01-kbd", bus: bus)))
    #expect(areOne(node("X", uniq: "serial-7"), node("X", uniq: "SERIAL-7", phys: "other")))
    #expect(!areOne(node("X", uniq: "e4:17:d8:00:00:01"), node("X", uniq: "e4:17:d8:00:00:02")))
    #expect(!areOne(node("X", uniq: "serial-7"), node("X", uniq: "serial-71")))
  }

  @Test func withoutAnIdentifierTheSocketDecides() {
    let one = node("X", phys: "usb-0000:00:14.0-2/input0")
    #expect(areOne(one, node("X Mouse", phys: "usb-0000:00:14.0-2/input1")))
    #expect(!areOne(one, node("X", phys: "usb-0000:00:14.0-3/input0")))
    #expect(!areOne(one, node("X", phys: "usb-0000:00:14.0-2/input0", id: (1, 3))))
    #expect(!areOne(one, node("X", uniq: "a", phys: "usb-0000:00:14.0-2/input0")))
    // All Bluetooth nodes have the adapter's address as their path.
    let radio = node("X", phys: "a0:b1:c2:d3:e4:f5", bus: Bus.bluetooth)
    #expect(!areOne(radio, node("Y", phys: "a0:b1:c2:d3:e4:f5", bus: Bus.bluetooth)))
    #expect(!areOne(node("X"), node("X")))
    #expect(!areOne(node("X", uniq: "00:00:00:00:00:00"), node("Y", uniq: "00:00:00:00:00:00")))
  }

  @Test(
    arguments: [
      (["X", "X Keyboard", "X Mouse"], "X"),
      (["EGV101 Mouse", "EGV101 Keyboard", "EGV101 Consumer Control", "EGV101"], "EGV101"),
      (["EGV101 Mouse", "EGV101 Consumer Control"], "EGV101"),
      (["Logitech USB Optical Mouse"], "Logitech USB Optical Mouse"),
      (["Mouse"], "Mouse"),
      ([""], ""),
      ([], ""),
    ] as [([String], String)])
  func oneNameForAll(_ names: [String], _ expected: String) {
    #expect(RemoteIdentity.name(of: names.map { NodeDescription(name: $0) }) == expected)
  }
}

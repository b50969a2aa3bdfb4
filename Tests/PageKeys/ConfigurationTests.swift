import PageKeys
import ReaderIPC
import TestSupport
import Testing

@Suite struct ConfigurationTests {
  private func parse(_ text: String) throws(PageKeysError) -> Configuration {
    var configuration = Configuration()
    try configuration.add(text, file: "pagerd.conf")
    return configuration
  }

  private func settings(_ text: String, name: String = "n") throws(PageKeysError) -> DeviceSettings {
    try parse("[device \"*\"]\n" + text).settings(for: [NodeDescription(name: name)])
  }

  /// The example of the design, word for word.
  @Test func theExampleIsUnderstood() throws {
    let text = """
      [device "AB Shutter3*"]          # name (glob) and/or: id = 0005:248a:8266, uniq = ..., phys = ...
      role          = page-turner
      VOLUMEUP      = next             # what it sends = command; wheel-down, swipe-left, hat-up, axis ABS_Y- ... likewise
      hold VOLUMEUP = next-chapter     # also: double KEY, KEY+KEY (chord)
      repeat        = off              # or 400ms/150ms
      debounce      = 0                # e.g. 20ms: the first edge acts, the last state after the window counts
      wake-press    = next             # a reconnect is this press; default off
      latch BTN_2                      # a key that toggles: counts per change; does not delay taking the device
      pass          = POWER            # passes even while routed
      scan 0x70052  = prev             # a device without key events: HID usage (page << 16 | usage)
      [emit]                           # for programs that do not speak the socket
      next          = PAGEDOWN         # sent through pagerd's own virtual keyboard, while the emitter is switched on
      [pagerd]
      activity      = on               # a routed press keeps the screen awake
      """
    let configuration = try parse(text)
    let settings = configuration.settings(for: [NodeDescription(name: "AB Shutter3 Keyboard")])
    #expect(settings.isNamed)
    #expect(settings.role == .pageTurner)
    #expect(
      settings.bindings == [
        Binding(.tap(.key(KeyCode.volumeUp)), .next), Binding(.hold(.key(KeyCode.volumeUp)), .nextChapter),
        Binding(.tap(.scan(0x70052)), .prev),
      ])
    #expect(settings.repeating == nil)
    #expect(settings.debounce == 0)
    #expect(settings.wakePress == .next)
    #expect(settings.latches == [0x102])
    #expect(settings.passes == [KeyCode.power])
    #expect(configuration.emitted == [.init(command: .next, keys: [KeyCode.pageDown])])
    #expect(configuration.keepsAwake)
    #expect(!configuration.settings(for: [NodeDescription(name: "AB Shutter2")]).isNamed)
  }

  @Test(arguments: [
    ("VOLUMEUP = next", Trigger.tap(.key(115)), "next"),
    ("KEY_VOLUMEUP = next", .tap(.key(115)), "next"),
    ("1 = first", .tap(.key(2)), "first"),
    ("102ND = last", .tap(.key(86)), "last"),
    ("BTN_SOUTH = custom:lamp-1", .tap(.key(0x130)), "custom:lamp-1"),
    ("BTN_A = back", .tap(.key(0x130)), "back"),
    ("wheel-down = next", .tap(.wheel(.down)), "next"),
    ("wheel-left = next", .tap(.wheel(.left)), "next"),
    ("dial-right = next", .tap(.dial(isRight: true)), "next"),
    ("swipe-left = prev-chapter", .tap(.swipe(.left)), "prev-chapter"),
    ("touch-tap = toggle", .tap(.touchTap), "toggle"),
    ("hat-up = prev", .tap(.axis(0x11, isPositive: false)), "prev"),
    ("stick-right = next", .tap(.axis(0, isPositive: true)), "next"),
    ("axis ABS_Y- = prev", .tap(.axis(1, isPositive: false)), "prev"),
    ("axis ABS_RZ+ = next", .tap(.axis(5, isPositive: true)), "next"),
    ("scan 0x70052 = prev", .tap(.scan(0x70052)), "prev"),
    ("scan 458834 = prev", .tap(.scan(0x70052)), "prev"),
    ("hold scan 0x70052 = prev", .hold(.scan(0x70052)), "prev"),
    ("double wheel-up = first", .double(.wheel(.up)), "first"),
    ("hold axis ABS_Y- = first", .hold(.axis(1, isPositive: false)), "first"),
    ("VOLUMEUP+VOLUMEDOWN = first", .chord(.key(115), .key(114)), "first"),
    ("BTN_TL + BTN_TR = first", .chord(.key(0x136), .key(0x137)), "first"),
    ("VOLUMEUP=next", .tap(.key(115)), "next"),
    ("\tVOLUMEUP\t=\tnext\t# why", .tap(.key(115)), "next"),
  ])
  func bindings(_ line: String, _ trigger: Trigger, _ command: String) throws {
    #expect(try settings(line).bindings == [Binding(trigger, Command(command))])
    #expect(try Configuration.binding(line) == Binding(trigger, Command(command)))
  }

  @Test func noneTakesABindingAway() throws {
    #expect(try settings("SPACE = none").bindings == [Binding(.tap(.key(57)), nil)])
    let rig = Rig("SPACE = none")
    rig.key(57, 1, at: 0)
    #expect(rig.commands.isEmpty)
  }

  @Test func valuesOfEverySetting() throws {
    let all = try settings(
      """
      role = shared
      repeat = 1s/50ms
      debounce = 20ms
      hold-time = 700ms
      double-time = 250ms
      latch BTN_0 BTN_1
      latch = BTN_3
      pass = A B
      swallow = POWER SW_LID
      """)
    #expect(all.role == .shared)
    #expect(all.repeating == .init(delay: 1_000_000, interval: 50_000))
    #expect(all.debounce == 20_000)
    #expect(all.holdTime == 700_000)
    #expect(all.doubleTime == 250_000)
    #expect(all.latches == [0x100, 0x101, 0x103])
    #expect(all.passes == [30, 48])
    #expect(all.swallows == [KeyCode.power])
    #expect(all.swallowedSwitches == [0])
    #expect(try settings("role = auto").role == nil)
    #expect(try settings("debounce = off").debounce == 0)
    #expect(try settings("wake-press = off").wakePress == nil)
  }

  @Test func theLaterWins() throws {
    var configuration = Configuration()
    try configuration.add("[device \"n\"]\nrole = ignore\nA = next\nrepeat = 400ms/150ms", file: "one")
    try configuration.add(
      "[device \"n\"]\nrole = page-turner\nA = prev\nrepeat = off\n[emit]\nnext = RIGHT", file: "two")
    try configuration.add("[emit]\nnext = LEFTCTRL+PAGEDOWN\n[pagerd]\nactivity = off", file: "three")
    let settings = configuration.settings(for: [NodeDescription(name: "n")])
    #expect(settings.role == .pageTurner)
    #expect(settings.repeating == nil)
    #expect(settings.bindings.last == Binding(.tap(.key(30)), .prev))
    #expect(configuration.emitted == [.init(command: .next, keys: [29, 109])])
    #expect(!configuration.keepsAwake)
  }

  @Test func aFaultChangesNothing() throws {
    var configuration = try parse("[device \"n\"]\nA = next")
    let before = configuration
    do {
      try configuration.add("[device \"n\"]\nA = prev\nB = nexxt", file: "two")
      Issue.record("the fault was not seen")
    } catch {
      #expect(error.description.hasPrefix("two:3:5"))
    }
    #expect(configuration == before)
  }

  @Test func allConditionsOfASectionMustHold() throws {
    let configuration = try parse(
      """
      [device "X*"]
      id = 0005:248a:8266 0003:*:0001
      uniq = AA:BB:*
      phys = *input0
      property ID_INPUT_KEY = 1
      """)
    var node = NodeDescription(
      name: "X1", phys: "usb/input0", uniq: "aa:bb:cc", bus: 5, vendor: 0x248a, product: 0x8266)
    node.udev = ["ID_INPUT_KEY": "1"]
    func matches(_ change: (inout NodeDescription) -> Void) -> Bool {
      var changed = node
      change(&changed)
      return configuration.settings(for: [changed]).isNamed
    }
    #expect(matches { _ in })
    #expect(
      matches {
        $0.bus = 3
        $0.vendor = 7
        $0.product = 1
      })
    #expect(!matches { $0.name = "Y" })
    #expect(!matches { $0.bus = 3 })
    #expect(!matches { $0.uniq = "aa:bc" })
    #expect(!matches { $0.phys = "usb/input1" })
    #expect(!matches { $0.udev = [:] })
  }

  @Test func aNodeSpeaksForItsRemote() throws {
    let configuration = try parse("[device \"X Keyboard\"]\nrole = page-turner\nA = next")
    let nodes = [NodeDescription(name: "X"), NodeDescription(name: "X Keyboard")]
    #expect(configuration.settings(for: nodes).role == .pageTurner)
    #expect(configuration.settings(for: [nodes[0]]).role == nil)
  }

  @Test func theRemotesOneNameNamesItsNodes() throws {
    let configuration = try parse("[device \"EGV101\"]\nrole = page-turner")
    let nodes = [NodeDescription(name: "EGV101 Mouse"), NodeDescription(name: "EGV101 Consumer Control")]
    let settings = configuration.settings(for: nodes)
    for node in nodes { #expect(judge(node, siblings: [], settings: settings).role == .pageTurner) }
  }

  // MARK: Faults

  @Test(
    arguments: [
      ("VOLUMEUP = next", "pagerd.conf:1:1: \"VOLUMEUP\": expected a section: [device \"NAME\"], [emit] or [pagerd]"),
      ("[devise \"x\"]", "pagerd.conf:1:2: \"devise\": expected device, emit or pagerd; did you mean \"device\"?"),
      ("[device \"x\"\nA = next", "pagerd.conf:1:12: expected ]"),
      ("[device x]", "pagerd.conf:1:9: \"x\": expected the device's name in quotes"),
      ("[device \"x]", "pagerd.conf:1:9: \"\"\": expected a second \" on the same line"),
      ("[device \"x\"] A", "pagerd.conf:1:14: \"A\": expected nothing after ]"),
      ("[", "pagerd.conf:1:2: expected device, emit or pagerd"),
      (
        "\n[device]\nA = next",
        "pagerd.conf:2:1: expected a name in the brackets, or id, uniq, phys or property below them"
      ),
      (
        "[device \"x\"]\n\n   VOLUMUP = next",
        "pagerd.conf:3:4: \"VOLUMUP\": expected a key, a gesture or a setting; did you mean \"VOLUMEUP\"?"
      ),
      (
        "[device \"x\"]\nvolumedown = next",
        "pagerd.conf:2:1: \"volumedown\": expected a key, a gesture or a setting; did you mean \"VOLUMEDOWN\"?"
      ),
      (
        "[device \"x\"]\nwheeldown = next",
        "pagerd.conf:2:1: \"wheeldown\": expected a key, a gesture or a setting; did you mean \"wheel-down\"?"
      ),
      (
        "[device \"x\"]\ndebouce = 20ms",
        "pagerd.conf:2:1: \"debouce\": expected a key, a gesture or a setting; did you mean \"debounce\"?"
      ),
      (
        "[device \"x\"]\nA = nexxt",
        "pagerd.conf:2:5: \"nexxt\": expected a command (next, prev, next-chapter, …, custom:NAME); did you mean \"next\"?"
      ),
      (
        "[device \"x\"]\nA = next-chaptre",
        "pagerd.conf:2:5: \"next-chaptre\": expected a command (next, prev, next-chapter, …, custom:NAME); did you mean \"next-chapter\"?"
      ),
      ("[device \"x\"]\nA = custom:", "pagerd.conf:2:5: \"custom:\": expected custom: and 1 to 32 of a-z, 0-9 and -"),
      ("[device \"x\"]\nA", "pagerd.conf:2:2: expected = and what the line gives"),
      ("[device \"x\"]\nA =", "pagerd.conf:2:4: expected something after ="),
      ("[device \"x\"]\n= next", "pagerd.conf:2:1: \"=\": expected a word before ="),
      ("[device \"x\"]\nA = next prev", "pagerd.conf:2:10: \"prev\": expected the end of the line"),
      ("[device \"x\"]\nA B = next", "pagerd.conf:2:3: \"B\": expected ="),
      (
        "[device \"x\"]\nrole = pageturner",
        "pagerd.conf:2:8: \"pageturner\": expected auto, page-turner, shared or ignore; did you mean \"page-turner\"?"
      ),
      (
        "[device \"x\"]\nid = 5",
        "pagerd.conf:2:6: \"5\": expected BUS:VENDOR:PRODUCT in hexadecimal, such as 0005:248a:8266"
      ),
      (
        "[device \"x\"]\nid = 00005:1:2",
        "pagerd.conf:2:6: \"00005:1:2\": expected BUS:VENDOR:PRODUCT in hexadecimal, such as 0005:248a:8266"
      ),
      (
        "[device \"x\"]\nrepeat = 400",
        "pagerd.conf:2:10: \"400\": expected off, or the delay and the interval, such as 400ms/150ms"
      ),
      (
        "[device \"x\"]\nrepeat = 400ms/1ms",
        "pagerd.conf:2:10: \"400ms/1ms\": expected off, or the delay and the interval, such as 400ms/150ms"
      ),
      ("[device \"x\"]\ndebounce = 5s", "pagerd.conf:2:12: \"5s\": expected a time up to 1000ms, such as 20ms"),
      ("[device \"x\"]\nhold-time = 0", "pagerd.conf:2:13: \"0\": expected a time up to 10000ms, such as 20ms"),
      ("[device \"x\"]\nhold = next", "pagerd.conf:2:6: expected a key to hold"),
      ("[device \"x\"]\ndouble = next", "pagerd.conf:2:8: expected a key to press twice"),
      ("[device \"x\"]\nA+B+C = next", "pagerd.conf:2:1: \"A+B+C\": expected two keys: KEY+KEY"),
      ("[device \"x\"]\nA+A = next", "pagerd.conf:2:3: \"A\": expected another key than the first"),
      ("[device \"x\"]\nA+ = next", "pagerd.conf:2:1: \"A+\": expected two keys: KEY+KEY"),
      (
        "[device \"x\"]\naxis ABS_W- = next",
        "pagerd.conf:2:6: \"ABS_W-\": expected an axis with its sign, such as ABS_Y-; did you mean \"ABS_X-\"?"
      ),
      ("[device \"x\"]\naxis = next", "pagerd.conf:2:6: expected an axis with its sign, such as ABS_Y-"),
      ("[device \"x\"]\nscan = next", "pagerd.conf:2:6: expected a HID usage, such as 0x70052"),
      (
        "[device \"x\"]\nscan 0xfffffffff = next",
        "pagerd.conf:2:6: \"0xfffffffff\": expected a HID usage, such as 0x70052"
      ),
      ("[device \"x\"]\npass = POWR", "pagerd.conf:2:8: \"POWR\": expected a key; did you mean \"POWER\"?"),
      ("[device \"x\"]\nlatch wheel-up", "pagerd.conf:2:7: \"wheel-up\": expected a key"),
      ("[emit]\nnext = PAGEDWN", "pagerd.conf:2:8: \"PAGEDWN\": expected a key; did you mean \"PAGEDOWN\"?"),
      ("[emit]\nnxt = A", nil),
      ("[pagerd]\nactivity = yes", "pagerd.conf:2:12: \"yes\": expected on or off"),
      ("[pagerd]\nactivty = on", "pagerd.conf:2:1: \"activty\": expected activity; did you mean \"activity\"?"),
      ("[device \"ä\"]\nÄ = next", nil),
    ] as [(String, String?)])
  func faultsNameThePlaceAndTheNearestWord(_ text: String, _ expected: String?) {
    let description = fault(of: text)
    #expect(description != nil)
    if let expected { #expect(description == expected) }
  }

  /// nil: there is none.
  private func fault(of text: String) -> String? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func theShortIdentifierIsVendorAndProduct() throws {
    let configuration = try parse("[device]\nid = 248a:8266")
    #expect(configuration.settings(for: [NodeDescription(name: "", bus: 3, vendor: 0x248a, product: 0x8266)]).isNamed)
    #expect(!configuration.settings(for: [NodeDescription(name: "", bus: 3, vendor: 0x248a)]).isNamed)
  }

  @Test func hostileTextsEndInAFaultOrInNothing() {
    var seed = Seed(7)
    let bits = [
      "[", "]", "device", "\"", "=", "+", "#", "\n", " ", "hold", "A", "next", "\u{0}", "é", "axis", "\\", "custom:",
      "id",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int(seed.next() % 30)).map { _ in bits[Int(seed.next() % UInt64(bits.count))] }.joined()
      _ = try? parse(text)
    }
    #expect(fault(of: String(repeating: "#", count: 2 << 20)) != nil)
    #expect(fault(of: "[device \"x\"]\n" + String(repeating: "A", count: 500_000) + " = next") != nil)
    #expect(fault(of: String(repeating: "\n", count: 100_000)) == nil)
  }

  @Test func windowsLineEndsAndMarksAreRead() throws {
    #expect(try parse("\u{FEFF}[device \"x\"]\r\nA = next\r\n").deviceCount == 1)
  }

  // MARK: Names

  @Test func everyKeyNameLeadsToItsCodeAndBack() {
    for code in UInt16(0)..<UInt16(CodeCount.key) {
      let name = KeyNames.name(ofKey: code)
      if name.hasPrefix("KEY_0x") { continue }
      #expect(KeyNames.key(name) == code)
    }
    #expect(KeyNames.key("VOLUMEUP") == 115)
    #expect(KeyNames.key("BTN_TRIGGER_HAPPY40") == 0x2e7)
    #expect(KeyNames.key("BTN_A") == 0x130)
    #expect(KeyNames.key("BRIGHTNESS_MAX") == 0x251)
    #expect(KeyNames.key("MIN_INTERESTING") == 113)
    #expect(KeyNames.key("") == nil)
    #expect(KeyNames.key("MAX") == nil)
    #expect(KeyNames.absolute("ABS_HAT0X") == 0x10)
    #expect(KeyNames.relative("REL_WHEEL_HI_RES") == 0x0b)
    #expect(KeyNames.switchCode("SW_LID") == 0)
    #expect(KeyNames.name(ofKey: 0x130) == "BTN_SOUTH")
    #expect(KeyNames.name(ofKey: 113) == "MUTE")
  }

  /// Every name of the header that this machine compiles with is known, with its code.
  @Test func theTableHasWhatTheHeaderHas() throws {
    let header = try #require(TextFiles.text("/usr/include/linux/input-event-codes.h"), "linux-libc-dev is missing")
    var count = 0
    for line in header.split(separator: "\n") where line.hasPrefix("#define KEY_") || line.hasPrefix("#define BTN_") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count > 2, !["KEY_MAX", "KEY_CNT"].contains(words[1]) else { continue }
      let name = words[1].hasPrefix("KEY_") ? String(words[1].dropFirst(4)) : String(words[1])
      let text = String(words[2])
      let code = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
      if let code {
        #expect(KeyNames.key(name) == code, "\(name)")
        count += 1
      } else if text.hasPrefix("KEY_") || text.hasPrefix("BTN_") {
        #expect(
          KeyNames.key(name) == KeyNames.key(text.hasPrefix("KEY_") ? String(text.dropFirst(4)) : text), "\(name)")
      }
    }
    #expect(count > 500)
  }

  @Test func inputsAreWrittenAsTheyAreRead() throws {
    let inputs: [Input] = [
      .key(115), .key(0x2ef), .wheel(.up), .dial(isRight: false), .axis(0x10, isPositive: true),
      .axis(1, isPositive: false),
      .axis(5, isPositive: true), .swipe(.down), .touchTap, .scan(0x70052),
    ]
    for input in inputs {
      #expect(try Configuration.binding("\(input) = next").trigger == .tap(input))
    }
  }

  // MARK: Patterns

  @Test(arguments: [
    ("AB Shutter3*", "AB Shutter3", true), ("AB Shutter3*", "AB Shutter3 Mouse", true),
    ("AB Shutter3*", "AB Shutter", false),
    ("*", "", true), ("", "", true), ("", "x", false), ("?", "é", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("*Foot*Switch*", "PCsensor FootSwitch Keyboard", true), ("[ab]x", "bx", true), ("[!ab]x", "bx", false),
    ("[a-c]1", "b1", true), ("[", "[", true), ("\\*", "*", true), ("\\*", "x", false), ("*a*b*c", "xxaxxbxxc", true),
    ("*a*b*c", "xxaxxbxx", false), ("**", "anything", true), ("a*", "b", false),
  ])
  func globs(_ pattern: String, _ text: String, _ expected: Bool) throws {
    let escaped = pattern.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
    let configuration = try parse("[device \"\(escaped)\"]\nid = 0000:0000:0000")
    #expect(configuration.settings(for: [NodeDescription(name: text)]).isNamed == expected)
  }

  @Test func noPatternTakesForEver() throws {
    let configuration = try parse("[device \"\(String(repeating: "*a", count: 200))b\"]")
    #expect(!configuration.settings(for: [NodeDescription(name: String(repeating: "a", count: 2000))]).isNamed)
  }
}

/// The event types of the kernel's input layer. Source: linux/input-event-codes.h.
public enum EventType {
  public static let syn: UInt16 = 0x00
  public static let key: UInt16 = 0x01
  public static let rel: UInt16 = 0x02
  public static let abs: UInt16 = 0x03
  public static let msc: UInt16 = 0x04
  public static let sw: UInt16 = 0x05
  public static let led: UInt16 = 0x11
  public static let snd: UInt16 = 0x12
  public static let rep: UInt16 = 0x14
  public static let ff: UInt16 = 0x15
  public static let pwr: UInt16 = 0x16
  public static let ffStatus: UInt16 = 0x17
}

/// How many codes each type has (the kernel's `*_CNT`).
public enum CodeCount {
  public static let key = 0x300
  public static let rel = 0x10
  public static let abs = 0x40
  public static let msc = 0x08
  public static let sw = 0x11
  public static let led = 0x10
  public static let snd = 0x08
  public static let ff = 0x80
  public static let property = 0x20
}

/// The keys and buttons that the code names.
public enum KeyCode {
  public static let esc: UInt16 = 1
  public static let enter: UInt16 = 28
  public static let leftCtrl: UInt16 = 29
  public static let space: UInt16 = 57
  public static let capsLock: UInt16 = 58
  public static let numLock: UInt16 = 69
  public static let scrollLock: UInt16 = 70
  public static let up: UInt16 = 103
  public static let pageUp: UInt16 = 104
  public static let left: UInt16 = 105
  public static let right: UInt16 = 106
  public static let down: UInt16 = 108
  public static let pageDown: UInt16 = 109
  public static let insert: UInt16 = 110
  public static let mute: UInt16 = 113
  public static let volumeDown: UInt16 = 114
  public static let volumeUp: UInt16 = 115
  public static let power: UInt16 = 116
  public static let menu: UInt16 = 139
  public static let calc: UInt16 = 140
  public static let sleep: UInt16 = 142
  public static let wakeUp: UInt16 = 143
  public static let file: UInt16 = 144
  public static let mail: UInt16 = 155
  public static let back: UInt16 = 158
  public static let forward: UInt16 = 159
  public static let nextSong: UInt16 = 163
  public static let playPause: UInt16 = 164
  public static let previousSong: UInt16 = 165
  public static let brightnessDown: UInt16 = 224
  public static let btn0: UInt16 = 0x100
  public static let btn1: UInt16 = 0x101
  public static let left1: UInt16 = 0x110  // BTN_LEFT, also BTN_MOUSE
  public static let right1: UInt16 = 0x111  // BTN_RIGHT
  public static let joystick: UInt16 = 0x120
  public static let south: UInt16 = 0x130
  public static let east: UInt16 = 0x131
  public static let start: UInt16 = 0x13b
  public static let toolPen: UInt16 = 0x140
  public static let toolFinger: UInt16 = 0x145
  public static let touch: UInt16 = 0x14a
  public static let stylus: UInt16 = 0x14b
  /// The buttons of a pen: BTN_STYLUS, BTN_STYLUS2, BTN_STYLUS3.
  static let styluses: [UInt16] = [0x14b, 0x14c, 0x149]
  public static let toolQuadTap: UInt16 = 0x14f
  public static let keyOK: UInt16 = 0x160
  public static let dpadUp: UInt16 = 0x220
  public static let dpadDown: UInt16 = 0x221
  public static let dpadLeft: UInt16 = 0x222
  public static let dpadRight: UInt16 = 0x223
  public static let alsToggle: UInt16 = 0x230
  public static let triggerHappy1: UInt16 = 0x2c0
  public static let triggerHappy40: UInt16 = 0x2e7
}

/// The relative axes that the code names.
public enum RelativeCode {
  public static let x: UInt16 = 0x00
  public static let y: UInt16 = 0x01
  public static let horizontalWheel: UInt16 = 0x06
  public static let dial: UInt16 = 0x07
  public static let wheel: UInt16 = 0x08
  public static let wheelHighResolution: UInt16 = 0x0b
  public static let horizontalWheelHighResolution: UInt16 = 0x0c
}

/// The absolute axes that the code names.
public enum AbsoluteCode {
  public static let x: UInt16 = 0x00
  public static let y: UInt16 = 0x01
  public static let z: UInt16 = 0x02
  public static let rx: UInt16 = 0x03
  public static let rz: UInt16 = 0x05
  public static let throttle: UInt16 = 0x06
  public static let gas: UInt16 = 0x09
  public static let brake: UInt16 = 0x0a
  public static let hat0X: UInt16 = 0x10
  public static let hat0Y: UInt16 = 0x11
  public static let hat3Y: UInt16 = 0x17
  public static let pressure: UInt16 = 0x18
  public static let slot: UInt16 = 0x2f
  public static let firstOfSlot: UInt16 = 0x30
  public static let positionX: UInt16 = 0x35
  public static let positionY: UInt16 = 0x36
  public static let trackingID: UInt16 = 0x39
  public static let lastOfSlot: UInt16 = 0x3d
}

public enum MiscellaneousCode {
  public static let scan: UInt16 = 0x04
}

/// The device properties that the code names (`INPUT_PROP_*`).
public enum PropertyCode {
  public static let direct: UInt16 = 0x01
  public static let pointingStick: UInt16 = 0x05
  public static let accelerometer: UInt16 = 0x06
}

/// The busses that the code names (`BUS_*`).
public enum Bus {
  public static let usb: UInt16 = 0x03
  public static let bluetooth: UInt16 = 0x05
  public static let virtual: UInt16 = 0x06
  public static let i2c: UInt16 = 0x18
  public static let host: UInt16 = 0x19
}

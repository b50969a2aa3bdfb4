public import EventLoop

/// Something that the device side has to tell people; the executable finds the words.
public enum DeviceNotice: Sendable, Equatable {
  case found(name: String, node: String, role: String, reason: String)
  case gone(name: String, node: String)
  case held(name: String, node: String)
  case givenBack(name: String, node: String)
  case waitingForKey(name: String, node: String, keys: [UInt16])
  case phantom(name: String, node: String, key: UInt16)
  case busy(name: String, node: String)
  case noPermission(name: String, node: String)
  case unusable(name: String, node: String, error: SystemError)
  case noUinput(SystemError)
  case loop(name: String, node: String, clone: String)
  case forceFeedback(name: String, node: String, errno: Int32)
  case overflow(name: String, node: String)
  case panic(name: String)
  case discovery(SystemError)
  case emitter(SystemError)
}

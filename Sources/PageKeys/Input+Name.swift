extension Input: CustomStringConvertible {
  /// The configuration's spelling: `VOLUMEUP`, `wheel-down`, `hat-left`, `axis ABS_RZ+`, `scan 0x70052`.
  public var description: String {
    switch self {
    case .key(let code): KeyNames.name(ofKey: code)
    case .wheel(let direction): "wheel-" + direction.name
    case .dial(let isRight): isRight ? "dial-right" : "dial-left"
    case .axis(AbsoluteCode.hat0X, let isPositive): isPositive ? "hat-right" : "hat-left"
    case .axis(AbsoluteCode.hat0Y, let isPositive): isPositive ? "hat-down" : "hat-up"
    case .axis(AbsoluteCode.x, let isPositive): isPositive ? "stick-right" : "stick-left"
    case .axis(AbsoluteCode.y, let isPositive): isPositive ? "stick-down" : "stick-up"
    case .axis(let code, let isPositive): "axis " + KeyNames.name(ofAbsolute: code) + (isPositive ? "+" : "-")
    case .swipe(let direction): "swipe-" + direction.name
    case .touchTap: "touch-tap"
    case .scan(let usage): "scan 0x" + String(usage, radix: 16)
    }
  }

  /// The inputs that have a word of their own, apart from keys.
  static let named: [Input] =
    Direction.allCases.map { .wheel($0) } + [.dial(isRight: false), .dial(isRight: true)]
    + Direction.allCases.map { .swipe($0) } + [.touchTap]
    + [AbsoluteCode.hat0X, AbsoluteCode.hat0Y, AbsoluteCode.x, AbsoluteCode.y].flatMap {
      [Input.axis($0, isPositive: false), .axis($0, isPositive: true)]
    }

  /// Reads one word: a key's name or one of `named`.
  init?(word: String) {
    if let named = Input.named.first(where: { $0.description == word }) {
      self = named
    } else if let code = KeyNames.key(word) {
      self = .key(code)
    } else if word.hasPrefix("KEY_0x"), let code = UInt16(word.dropFirst(6), radix: 16), Int(code) < CodeCount.key {
      self = .key(code)
    } else {
      return nil
    }
  }

  /// Reads what follows the word `axis`: `ABS_Y-`.
  init?(axis word: String) {
    guard let sign = word.last, sign == "+" || sign == "-" else { return nil }
    let name = String(word.dropLast())
    guard let code = KeyNames.absolute(name) ?? KeyNames.absolute("ABS_" + name) else { return nil }
    self = .axis(code, isPositive: sign == "+")
  }

  /// Reads what follows the word `scan`: `0x70052`, or decimal.
  init?(scan word: String) {
    let usage = word.hasPrefix("0x") ? UInt32(word.dropFirst(2), radix: 16) : UInt32(word)
    guard let usage, usage > 0 else { return nil }
    self = .scan(usage)
  }
}

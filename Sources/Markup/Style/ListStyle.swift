/// How a counter or a list's marker is written.
enum ListStyle: Sendable, Equatable {
  case none, disc, circle, square
  case decimal, decimalLeadingZero
  case lowerRoman, upperRoman
  case lowerAlpha, upperAlpha, lowerGreek
  case georgian, armenian, hebrew
  case cjkIdeographic, cjkDecimal, koreanHangul
  case hiragana, katakana, hiraganaIroha, katakanaIroha
  case earthlyBranch, heavenlyStem
  /// Decimal with digits from this scalar on: Arabic-Indic, Devanagari, Thai.
  case digits(UInt32)
  case text(String)

  /// The keyword of CSS in lower case; nil if it is none.
  init?(cssName name: String) {
    switch name {
    case "none": self = .none
    case "disc": self = .disc
    case "circle": self = .circle
    case "square", "disclosure-open", "disclosure-closed": self = .square
    case "decimal": self = .decimal
    case "decimal-leading-zero": self = .decimalLeadingZero
    case "lower-roman": self = .lowerRoman
    case "upper-roman": self = .upperRoman
    case "lower-alpha", "lower-latin": self = .lowerAlpha
    case "upper-alpha", "upper-latin": self = .upperAlpha
    case "lower-greek": self = .lowerGreek
    case "georgian": self = .georgian
    case "armenian", "upper-armenian", "lower-armenian": self = .armenian
    case "hebrew": self = .hebrew
    case "cjk-ideographic", "simp-chinese-informal", "trad-chinese-informal", "japanese-informal",
      "simp-chinese-formal", "trad-chinese-formal", "japanese-formal":
      self = .cjkIdeographic
    case "cjk-decimal": self = .cjkDecimal
    case "hangul", "korean-hangul-formal": self = .koreanHangul
    case "hiragana": self = .hiragana
    case "katakana": self = .katakana
    case "hiragana-iroha": self = .hiraganaIroha
    case "katakana-iroha": self = .katakanaIroha
    case "cjk-earthly-branch": self = .earthlyBranch
    case "cjk-heavenly-stem": self = .heavenlyStem
    case "arabic-indic": self = .digits(0x660)
    case "persian", "urdu": self = .digits(0x6f0)
    case "devanagari", "hindi": self = .digits(0x966)
    case "bengali": self = .digits(0x9e6)
    case "gurmukhi": self = .digits(0xa66)
    case "gujarati": self = .digits(0xae6)
    case "tamil": self = .digits(0xbe6)
    case "thai": self = .digits(0xe50)
    case "lao": self = .digits(0xed0)
    case "tibetan": self = .digits(0xf20)
    case "khmer", "cambodian": self = .digits(0x17e0)
    default: return nil
    }
  }

  /// A list item's marker: "•", "3.", "三、"; nil if there is none.
  func marker(_ value: Int) -> String? {
    switch self {
    case .none: nil
    case .disc, .circle, .square: counter(value)
    case .text(let text): text.isEmpty ? nil : text
    case .cjkIdeographic, .cjkDecimal, .hiragana, .katakana, .hiraganaIroha, .katakanaIroha, .earthlyBranch,
      .heavenlyStem, .koreanHangul:
      counter(value) + "、"
    case .decimal, .decimalLeadingZero, .lowerRoman, .upperRoman, .lowerAlpha, .upperAlpha, .lowerGreek, .georgian,
      .armenian, .hebrew, .digits:
      counter(value) + "."
    }
  }

  /// The counter's value as `counter()` writes it.
  func counter(_ value: Int) -> String {
    switch self {
    case .none: ""
    case .disc: "•"
    case .circle: "◦"
    case .square: "▪"
    case .text(let text): text
    case .decimal: String(value)
    case .decimalLeadingZero:
      (0...9).contains(value) ? "0\(value)" : (-9 ... -1).contains(value) ? "-0\(-value)" : String(value)
    case .lowerRoman: NumberWriter.roman(value)?.lowercased() ?? String(value)
    case .upperRoman: NumberWriter.roman(value) ?? String(value)
    case .lowerAlpha: NumberWriter.alphabetic(value, "abcdefghijklmnopqrstuvwxyz") ?? String(value)
    case .upperAlpha: NumberWriter.alphabetic(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ?? String(value)
    case .lowerGreek: NumberWriter.alphabetic(value, "αβγδεζηθικλμνξοπρστυφχψω") ?? String(value)
    case .georgian: NumberWriter.additive(value, NumberWriter.georgian, limit: 19_999) ?? String(value)
    case .armenian: NumberWriter.additive(value, NumberWriter.armenian, limit: 9_999) ?? String(value)
    case .hebrew: NumberWriter.additive(value, NumberWriter.hebrew, limit: 10_999) ?? String(value)
    case .cjkIdeographic: NumberWriter.ideographic(value) ?? String(value)
    case .cjkDecimal: NumberWriter.positional(value, Array("〇一二三四五六七八九"))
    case .koreanHangul: NumberWriter.alphabetic(value, "가나다라마바사아자차카타파하") ?? String(value)
    case .hiragana:
      NumberWriter.alphabetic(value, "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん") ?? String(value)
    case .katakana:
      NumberWriter.alphabetic(value, "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン") ?? String(value)
    case .hiraganaIroha:
      NumberWriter.alphabetic(value, "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす") ?? String(value)
    case .katakanaIroha:
      NumberWriter.alphabetic(value, "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス") ?? String(value)
    case .earthlyBranch: NumberWriter.alphabetic(value, "子丑寅卯辰巳午未申酉戌亥") ?? String(value)
    case .heavenlyStem: NumberWriter.alphabetic(value, "甲乙丙丁戊己庚辛壬癸") ?? String(value)
    case .digits(let zero):
      NumberWriter.positional(value, (0..<10).compactMap { Unicode.Scalar(zero + $0).map { Character($0) } })
    }
  }
}

/// Numbers in the systems of list markers. Source: CSS Counter Styles Level 3, sections 3 and 6.
enum NumberWriter {
  static func alphabetic(_ value: Int, _ letters: String) -> String? {
    guard value > 0 else { return nil }
    let letters = Array(letters)
    var rest = value
    var text: [Character] = []
    while rest > 0 {
      rest -= 1
      text.append(letters[rest % letters.count])
      rest /= letters.count
    }
    return String(text.reversed())
  }

  static func roman(_ value: Int) -> String? {
    guard (1...3999).contains(value) else { return nil }
    let steps = [
      (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
      (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]
    var rest = value
    var text = ""
    for (step, letters) in steps {
      while rest >= step {
        text += letters
        rest -= step
      }
    }
    return text
  }

  /// Letters that add up; the tables go from the largest value down.
  static func additive(_ value: Int, _ table: [(Int, String)], limit: Int) -> String? {
    guard value > 0, value <= limit else { return nil }
    var rest = value
    var text = ""
    for (step, letter) in table {
      while rest >= step {
        text += letter
        rest -= step
      }
    }
    return text
  }

  static func positional(_ value: Int, _ digits: [Character]) -> String {
    guard digits.count == 10 else { return String(value) }
    return String(String(value).map { $0.wholeNumberValue.map { digits[$0] } ?? $0 })
  }

  static func ideographic(_ value: Int) -> String? {
    guard (0...9999).contains(value) else { return nil }
    let digits = Array("零一二三四五六七八九")
    if value == 0 { return "零" }
    var text = ""
    var needsZero = false
    for (step, unit) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
      let digit = value / step % 10
      if digit == 0 {
        needsZero = !text.isEmpty
        continue
      }
      if needsZero { text += "零" }
      needsZero = false
      if !(digit == 1 && step == 10 && text.isEmpty) { text.append(digits[digit]) }
      text += unit
    }
    return text
  }

  static let georgian: [(Int, String)] = letters(
    [(10_000, "ჵ")], "ჰჯჴხჭწძცჩშყღქფჳტსრჟპოჲნმლკითჱზვედგბა", [9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000])
  static let armenian: [(Int, String)] = letters(
    [], "ՔՓՒՑՐՏՎՍՌՋՊՉՈՇՆՅՄՃՂՁՀԿԾԽԼԻԺԹԸԷԶԵԴԳԲԱ", [9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000])
  static let hebrew: [(Int, String)] =
    [
      (10_000, "י׳"), (9000, "ט׳"), (8000, "ח׳"), (7000, "ז׳"), (6000, "ו׳"), (5000, "ה׳"), (4000, "ד׳"), (3000, "ג׳"),
      (2000, "ב׳"), (1000, "א׳"), (400, "ת"), (300, "ש"), (200, "ר"), (100, "ק"), (90, "צ"), (80, "פ"), (70, "ע"),
      (60, "ס"), (50, "נ"), (40, "מ"), (30, "ל"), (20, "כ"), (19, "יט"), (18, "יח"), (17, "יז"), (16, "טז"), (15, "טו"),
      (10, "י"), (9, "ט"), (8, "ח"), (7, "ז"), (6, "ו"), (5, "ה"), (4, "ד"), (3, "ג"), (2, "ב"), (1, "א"),
    ]

  /// One letter a step: the thousands, then 900 to 100, 90 to 10, 9 to 1.
  private static func letters(_ head: [(Int, String)], _ letters: String, _ thousands: [Int]) -> [(Int, String)] {
    let steps = thousands + [100, 10, 1].flatMap { unit in (1...9).reversed().map { $0 * unit } }
    return head + zip(steps, letters).map { ($0, String($1)) }
  }
}

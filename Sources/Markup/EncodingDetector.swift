/// Guesses the legacy encoding of text that is not UTF-8.
enum EncodingDetector {
  /// The name for iconv; nil if nothing fits.
  static func detect(_ source: [UInt8]) -> String? {
    let sample = source.prefix(1 << 18)
    let high = sample.lazy.filter { $0 >= 0x80 }.count
    guard high > 0 else { return nil }
    // Text that is UTF-8 but for a damaged byte or two stays UTF-8: legacy text makes valid sequences by rare chance.
    let decoded = String(decoding: sample, as: UTF8.self)
    let damaged = damage(decoded)
    let valid = decoded.unicodeScalars.lazy.filter { $0.value >= 0x80 }.count - damaged
    if damaged * 2 <= valid { return "UTF-8" }
    var best: (name: String, score: Int)?
    for candidate in ["GB18030", "CP932", "EUC-JP", "BIG5-HKSCS", "CP949"] {
      guard let converted = TranscoderHandle.utf8(sample, from: candidate), converted.errors <= 1 + high / 200 else {
        continue
      }
      let score = scoreEastAsian(converted.bytes, candidate) - converted.errors * 20
      if best == nil || score > best!.score { best = (candidate, score) }
    }
    let western = western(sample)
    // A byte or two of Latin text, and Cyrillic, are rare ideographs by chance.
    if let best, best.score > high / 8, best.score > western.score { return best.name }
    return western.name
  }

  private static func damage(_ text: String) -> Int {
    text.unicodeScalars.lazy.filter { $0 == "\u{FFFD}" }.count
  }

  /// Common characters of the script score high, rare ideographs and private use low.
  private static func scoreEastAsian(_ bytes: [UInt8], _ encoding: String) -> Int {
    var score = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
      switch scalar.value {
      case 0x3040...0x30ff: score += encoding == "CP932" || encoding == "EUC-JP" ? 3 : 0
      case 0x3000...0x3002, 0xff0c, 0xff01, 0xff1f, 0x300c, 0x300d: score += 3
      case 0xac00...0xd7a3: score += encoding == "CP949" ? 2 : -1
      case 0x4e00...0x9fff: score += common.contains(scalar) ? 4 : 1
      case 0xff61...0xff9f: score -= 3
      case 0xe000...0xf8ff, 0xfffd: score -= 10
      case 0x20000...0x3ffff, 0x3400...0x4dbf: score -= 3
      default: score -= 1
      }
    }
    return score
  }

  /// The characters that make up a third of any Chinese or Japanese text.
  private static let common = Set(
    ("的一是不了人我在有他这為之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从知使全文章第"
      + "這來個們到說國時對著裡過發無麼經當與學進種將還從見沒開東車長門問間書話語本見何思言今分手気間部屋声目前").unicodeScalars)

  /// Cyrillic, Greek, Hebrew, Arabic or Latin by which letters the high bytes would be.
  private static func western(_ sample: ArraySlice<UInt8>) -> (name: String, score: Int) {
    var best = (name: "CP1252", score: Int.min)
    for candidate in ["CP1252", "CP1251", "CP1250", "KOI8-R", "CP1253", "CP1255", "CP1256"] {
      guard let converted = TranscoderHandle.utf8(sample, from: candidate) else { continue }
      let score = scoreWestern(converted.bytes, candidate) - converted.errors * 10
      if score > best.score { best = (candidate, score) }
    }
    return best
  }

  private static func scoreWestern(_ bytes: [UInt8], _ encoding: String) -> Int {
    var score = 0
    var previous: Unicode.Scalar = " "
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.value >= 0x80 {
        let isLetter = scalar.properties.isAlphabetic
        let followsLetter = previous.properties.isAlphabetic
        switch encoding {
        case "CP1251", "KOI8-R":
          // Running text is lower case; a wrong guess between the two swaps the cases.
          let isRun = (0x410...0x44f).contains(previous.value)
          score +=
            (0x430...0x44f).contains(scalar.value)
            ? (isRun ? 3 : 1)
            : (0x410...0x42f).contains(scalar.value)
              ? (followsLetter ? -1 : 1) : -1
        case "CP1253":
          score += (0x370...0x3ff).contains(scalar.value) && (0x370...0x3ff).contains(previous.value) ? 2 : -1
        case "CP1255":
          score += (0x5d0...0x5ea).contains(scalar.value) && (0x5d0...0x5ea).contains(previous.value) ? 2 : -1
        case "CP1256":
          score += (0x620...0x64a).contains(scalar.value) && (0x620...0x64a).contains(previous.value) ? 2 : -1
        case "CP1250":
          score += "ąćęłńśźżčěřšžůďťňőűăţşĄŁŚŻČŘŠŽ".unicodeScalars.contains(scalar) && followsLetter ? 2 : 0
        default:
          score +=
            isLetter && followsLetter && "äöüßéèêàâçîïôûùñáíóúåæøœ".unicodeScalars.contains(scalar)
            ? 2
            : "“”‘’–—…«» °§".unicodeScalars.contains(scalar) ? 1 : 0
        }
      }
      previous = scalar
    }
    return score
  }
}

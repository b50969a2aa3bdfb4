/// Finds out in which encoding a file is, and makes UTF-8 of it.
///
/// In this order: byte order mark; the transport's word; XML declaration; `meta charset`; valid UTF-8; the legacy
/// encoding that explains the bytes best.
enum TextDecoder {
  static func decode(_ source: [UInt8], declared: String?) -> (bytes: [UInt8], warning: String?) {
    if let (encoding, length) = mark(source) {
      if encoding == "UTF-8" { return utf8(Array(source[length...]), nil) }
      return convert(source[length...], encoding)
    }
    if let wide = unmarkedWide(source) { return convert(source[...], wide) }
    let stated = (declared ?? statedEncoding(source)).map(canonical)
    let isValid = isUTF8(source)
    if isValid, stated == nil || stated == "UTF-8" { return (source, nil) }
    if let stated, stated != "UTF-8" {
      // A wrong declaration over valid UTF-8 is common; a legacy text that happens to be valid UTF-8 and not plain
      // ASCII is next to impossible.
      if isValid, source.contains(where: { $0 >= 0x80 }), !stated.hasPrefix("ISO-2022") { return (source, nil) }
      if isValid, !stated.hasPrefix("ISO-2022") { return (source, nil) }
      if let converted = TranscoderHandle.utf8(source[...], from: stated), converted.errors <= source.count / 200 {
        return (converted.bytes, converted.errors == 0 ? nil : "\(converted.errors) characters are damaged")
      }
    }
    if let guessed = EncodingDetector.detect(source), guessed != "UTF-8" {
      let (bytes, warning) = convert(source[...], guessed)
      return (bytes, warning ?? "the encoding is not declared rightly; read as \(guessed)")
    }
    return utf8(source, "some characters are damaged")
  }

  static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      let count = buffer.count
      while index < count {
        let byte = buffer[index]
        if byte < 0x80 {
          index += 1
          continue
        }
        let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
        guard byte >= 0xc2, byte <= 0xf4, index + length <= count else { return false }
        for offset in 1..<length where buffer[index + offset] & 0xc0 != 0x80 { return false }
        let second = buffer[index + 1]
        if byte == 0xe0 && second < 0xa0 || byte == 0xed && second > 0x9f || byte == 0xf0 && second < 0x90
          || byte == 0xf4 && second > 0x8f
        {
          return false
        }
        index += length
      }
      return true
    }
  }

  private static func utf8(_ bytes: [UInt8], _ warning: String?) -> ([UInt8], String?) {
    if isUTF8(bytes) { return (bytes, nil) }
    return (Array(String(decoding: bytes, as: UTF8.self).utf8), warning ?? "some characters are damaged")
  }

  private static func convert(_ source: ArraySlice<UInt8>, _ encoding: String) -> ([UInt8], String?) {
    guard let converted = TranscoderHandle.utf8(source, from: encoding) else {
      return utf8(Array(source), "the encoding \(encoding) is not known here")
    }
    return (converted.bytes, converted.errors == 0 ? nil : "\(converted.errors) characters are damaged")
  }

  private static func mark(_ source: [UInt8]) -> (String, Int)? {
    if source.starts(with: [0xef, 0xbb, 0xbf]) { return ("UTF-8", 3) }
    if source.starts(with: [0xff, 0xfe, 0, 0]) { return ("UTF-32LE", 4) }
    if source.starts(with: [0, 0, 0xfe, 0xff]) { return ("UTF-32BE", 4) }
    if source.starts(with: [0xff, 0xfe]) { return ("UTF-16LE", 2) }
    if source.starts(with: [0xfe, 0xff]) { return ("UTF-16BE", 2) }
    return nil
  }

  /// UTF-16 or UTF-32 without a mark, by the zero bytes around the first "<".
  private static func unmarkedWide(_ source: [UInt8]) -> String? {
    if source.starts(with: [0x3c, 0, 0, 0]) { return "UTF-32LE" }
    if source.starts(with: [0, 0, 0, 0x3c]) { return "UTF-32BE" }
    if source.count > 3, source[0] == 0x3c, source[1] == 0, source[2] != 0, source[3] == 0 { return "UTF-16LE" }
    if source.count > 3, source[0] == 0, source[1] == 0x3c, source[2] == 0, source[3] != 0 { return "UTF-16BE" }
    return nil
  }

  /// What the XML declaration or a `meta` in the first 4 KiB says.
  private static func statedEncoding(_ source: [UInt8]) -> String? {
    let head = source.prefix(4096).map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 32 : $0 }
    if let start = index(of: "<?xml", in: head, from: 0), let end = index(of: "?>", in: head, from: start),
      let value = value(of: "encoding", in: head[start..<end])
    {
      return value
    }
    var position = 0
    while let start = index(of: "<meta", in: head, from: position) {
      let end = head[start...].firstIndex(of: 0x3e) ?? head.count
      if let value = value(of: "charset", in: head[start..<end]) { return value }
      position = end
    }
    return nil
  }

  private static func index(of mark: String, in bytes: [UInt8], from start: Int) -> Int? {
    let mark = Array(mark.utf8)
    var index = start
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) { return index }
      index += 1
    }
    return nil
  }

  private static func value(of name: String, in slice: ArraySlice<UInt8>) -> String? {
    let bytes = Array(slice)
    guard var position = index(of: name, in: bytes, from: 0) else { return nil }
    position += name.utf8.count
    while position < bytes.count, bytes[position].isMarkupSpace || bytes[position] == 0x3d { position += 1 }
    if position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 { position += 1 }
    let value = bytes[position...].prefix { $0.isNameByte || $0 == 0x3a }
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }

  /// The name by which iconv knows the encoding that browsers mean by `name`.
  private static func canonical(_ name: String) -> String {
    switch name.lowercased() {
    case "utf-8", "utf8", "unicode-1-1-utf-8": "UTF-8"
    case "gb2312", "gbk", "gb_2312-80", "x-gbk", "cp936", "gb18030", "euc-cn": "GB18030"
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji", "cp932": "CP932"
    case "big5", "big5-hkscs", "cn-big5", "x-x-big5": "BIG5-HKSCS"
    case "euc-kr", "ks_c_5601-1987", "korean", "windows-949", "cp949": "CP949"
    case "iso-8859-1", "latin1", "latin-1", "ascii", "us-ascii", "windows-1252", "cp1252", "x-cp1252": "CP1252"
    case "iso-8859-9", "latin5", "windows-1254": "CP1254"
    case "utf-16", "unicode", "ucs-2": "UTF-8"  // The file was readable as bytes, so it is not what it says.
    case let other where other.hasPrefix("windows-"): "CP" + other.dropFirst(8)
    case let other: other.uppercased()
    }
  }
}

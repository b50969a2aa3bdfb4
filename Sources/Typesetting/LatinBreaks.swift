/// Annex 14 for the scalars of western text, as one table of pairs: what most paragraphs are made of, and several
/// times as fast as asking the library. Both say the same, which a test holds.
enum LatinBreaks {
  /// Line breaking classes; the names are the annex's.
  private enum Class {
    static let al: UInt8 = 0
    static let nu: UInt8 = 1
    static let sp: UInt8 = 2
    static let isolated: UInt8 = 3  // IS
    static let ex: UInt8 = 4
    static let qu: UInt8 = 5
    static let op: UInt8 = 6
    static let cl: UInt8 = 7
    static let cp: UInt8 = 8
    static let hy: UInt8 = 9
    static let ba: UInt8 = 10
    static let b2: UInt8 = 11
    static let gl: UInt8 = 12
    static let inseparable: UInt8 = 13  // IN
    static let sy: UInt8 = 14
    static let pr: UInt8 = 15
    static let po: UInt8 = 16
    static let lf: UInt8 = 17
    static let wj: UInt8 = 18
    static let zw: UInt8 = 19
    static let count = 20
    /// Not western text: the library knows.
    static let other: UInt8 = 255
  }

  /// Fills `breaks` as `LineBreakHandle.find` would.
  /// - Returns: false when there are other scalars than those of the table; `breaks` is worth nothing then.
  static func find(in scalars: [UInt32], into breaks: inout [Int8]) -> Bool {
    let count = scalars.count
    breaks.removeAll(keepingCapacity: true)
    guard count > 0 else { return true }
    breaks.append(contentsOf: repeatElement(LineBreakHandle.noBreak, count: count))
    return scalars.withUnsafeBufferPointer { scalars in
      breaks.withUnsafeMutableBufferPointer { breaks in
        low.withUnsafeBufferPointer { low in
          pairs.withUnsafeBufferPointer { pairs in
            find(in: scalars, into: breaks, low: low, pairs: pairs)
          }
        }
      }
    }
  }

  private static func find(
    in scalars: UnsafeBufferPointer<UInt32>, into breaks: UnsafeMutableBufferPointer<Int8>,
    low: UnsafeBufferPointer<UInt8>, pairs: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let count = scalars.count
    // The class before the spaces, or of the scalar before.
    var before = Class.al
    var isSpaced = false
    for index in 0..<count {
      let scalar = scalars[index]
      // Letters behind letters are most of any text.
      if scalar &- 0x61 < 26, before == Class.al, !isSpaced, index > 0 { continue }
      let here = scalar < 0x250 ? low[Int(scalar)] : high(scalar)
      if here == Class.other { return false }
      if index == 0 {
        before = here
        // Spaces that begin a line are followed by a break, as after a line feed.
        isSpaced = here == Class.sp
        if isSpaced { before = Class.lf }
        continue
      }
      if here == Class.sp {
        if before == Class.lf, !isSpaced { breaks[index - 1] = LineBreakHandle.mustBreak }
        isSpaced = true
        continue
      }
      if before == Class.lf, !isSpaced {
        breaks[index - 1] = LineBreakHandle.mustBreak
      } else {
        let pair = pairs[Int(before) * Class.count + Int(here)]
        if isSpaced ? pair & 2 == 0 : pair & 1 == 0 { breaks[index - 1] = LineBreakHandle.allowBreak }
      }
      before = here
      isSpaced = false
    }
    breaks[count - 1] = LineBreakHandle.mustBreak
    return true
  }

  /// Bit 0: no break between the two classes. Bit 1: no break if spaces stand between either.
  private static let pairs: [UInt8] = {
    typealias C = Class
    var pairs = [UInt8](repeating: 0, count: C.count * C.count)
    func forbid(_ first: [UInt8], _ second: [UInt8], spaced: Bool = false) {
      for one in first { for other in second { pairs[Int(one) * C.count + Int(other)] |= spaced ? 3 : 1 } }
    }
    let all = (0..<UInt8(C.count)).filter { $0 != C.lf && $0 != C.sp }
    let everything = all + [C.lf]
    forbid(everything, [C.lf], spaced: true)  // LB6
    forbid(everything, [C.wj], spaced: true)  // LB11
    forbid([C.wj], all)
    forbid(all, [C.gl])  // LB12a
    for one in [C.ba, C.hy] { pairs[Int(one) * C.count + Int(C.gl)] = 0 }
    forbid([C.gl], all)  // LB12
    forbid(everything, [C.cl, C.cp, C.ex, C.isolated, C.sy], spaced: true)  // LB13
    forbid([C.op], all, spaced: true)  // LB14
    forbid([C.qu], [C.op], spaced: true)  // LB15
    forbid([C.b2], [C.b2], spaced: true)  // LB17
    forbid(all, [C.qu])  // LB19
    forbid([C.qu], all)
    forbid(all, [C.ba, C.hy])  // LB21
    forbid([C.al, C.inseparable, C.nu], [C.inseparable])  // LB22
    forbid([C.al], [C.nu])  // LB23
    forbid([C.nu], [C.al])
    forbid([C.pr, C.po], [C.al])  // LB24
    forbid([C.cl, C.cp, C.nu], [C.po, C.pr])  // LB25
    forbid([C.po, C.pr], [C.op, C.nu])
    forbid([C.hy, C.isolated, C.nu, C.sy], [C.nu])
    forbid([C.al], [C.al])  // LB28
    forbid([C.isolated], [C.al])  // LB29
    forbid([C.al, C.nu], [C.op])  // LB30
    forbid([C.cp], [C.al, C.nu])
    // LB7, LB8: nothing else holds behind a space without width.
    forbid(everything, [C.zw], spaced: true)
    for other in everything where other != C.lf && other != C.zw { pairs[Int(C.zw) * C.count + Int(other)] = 0 }
    return pairs
  }()

  /// The classes below U+0250.
  private static let low: [UInt8] = {
    typealias C = Class
    var classes = [UInt8](repeating: C.al, count: 0x250)
    func set(_ text: String, _ value: UInt8) {
      for scalar in text.unicodeScalars { classes[Int(scalar.value)] = value }
    }
    for control in 0..<0x20 { classes[control] = C.other }
    for control in 0x7F..<0xA0 { classes[control] = C.other }
    set("\n", C.lf)
    set(" ", C.sp)
    set("!?", C.ex)
    set("\"'\u{AB}\u{BB}", C.qu)
    set("$+\\\u{A3}\u{A4}\u{A5}\u{B1}", C.pr)
    set("%\u{A2}\u{B0}", C.po)
    set("([{\u{A1}\u{BF}", C.op)
    set(")]", C.cp)
    set("}", C.cl)
    set(",.:;", C.isolated)
    set("-", C.hy)
    set("/", C.sy)
    set("|\u{AD}", C.ba)
    set("0123456789", C.nu)
    set("\u{A0}", C.gl)
    set("\u{B4}", C.other)
    return classes
  }()

  private static func high(_ scalar: UInt32) -> UInt8 {
    switch scalar {
    case 0x2019, 0x2018, 0x201C, 0x201D, 0x2039, 0x203A: Class.qu
    case 0x2014: Class.b2
    case 0x2010, 0x2012, 0x2013: Class.ba
    case 0x2011: Class.gl
    case 0x2025, 0x2026: Class.inseparable
    case 0x201A, 0x201E: Class.op
    case 0x2000...0x2006, 0x2008...0x200A: Class.ba
    case 0x2060: Class.wj
    case 0x200B: Class.zw
    case 0x2020, 0x2021, 0x2022, 0x2122, 0x2190...0x2199, 0x21A9, 0x21AA: Class.al
    case 0x0391...0x03FF, 0x0400...0x0482, 0x048A...0x052F: Class.al
    case 0x1E00...0x1EFF, 0x1F00...0x1FBC, 0x1FC2...0x1FFC, 0x2070, 0x2071, 0x2074...0x207C, 0x207F...0x208C: Class.al
    case 0x20AC: Class.pr
    case 0x2032, 0x2033: Class.po
    default: Class.other
    }
  }
}

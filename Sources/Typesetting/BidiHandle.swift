internal import CText

/// The Unicode bidirectional algorithm, by FriBidi.
enum BidiHandle {
  /// The embedding level of each scalar of one paragraph.
  ///
  /// - Parameter isRightToLeft: the paragraph's direction; nil: by its first strong character.
  /// - Returns: nil when the library refuses (out of memory, levels beyond its limit): text stays as it is.
  static func levels(_ scalars: ArraySlice<UInt32>, isRightToLeft: Bool?) -> [Int8]? {
    let count = scalars.count
    guard count > 0, count < 1 << 26 else { return nil }
    var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: count)
    var brackets = [FriBidiBracketType](repeating: 0, count: count)
    var levels = [FriBidiLevel](repeating: 0, count: count)
    // FRIBIDI_PAR_LTR, _RTL and _ON are macros with casts that Swift does not import.
    var base = FriBidiParType(rawValue: isRightToLeft.map { $0 ? 0x111 : 0x110 } ?? 0x40)
    let found = scalars.withUnsafeBufferPointer { text -> FriBidiLevel in
      fribidi_get_bidi_types(text.baseAddress, FriBidiStrIndex(count), &types)
      fribidi_get_bracket_types(text.baseAddress, FriBidiStrIndex(count), types, &brackets)
      return fribidi_get_par_embedding_levels_ex(types, brackets, FriBidiStrIndex(count), &base, &levels)
    }
    return found == 0 ? nil : levels
  }

  /// The scalar drawn in a right-to-left run: "(" for ")".
  static func mirrored(_ scalar: UInt32) -> UInt32 {
    var result: FriBidiChar = scalar
    return fribidi_get_mirror_char(scalar, &result) != 0 ? result : scalar
  }

  /// Gives Arabic letters the forms that they have beside their neighbours, in logical order and place by place:
  /// cells have no font that would join them. Where lam and alef became one, the second place is U+FEFF.
  static func shape(_ scalars: inout [UInt32], levels: [Int8]) {
    let count = FriBidiStrIndex(scalars.count)
    guard count > 0, levels.count == scalars.count else { return }
    var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: scalars.count)
    var joining = [FriBidiArabicProp](repeating: 0, count: scalars.count)
    scalars.withUnsafeMutableBufferPointer { text in
      fribidi_get_bidi_types(text.baseAddress, count, &types)
      fribidi_get_joining_types(text.baseAddress, count, &joining)
      fribidi_join_arabic(types, count, levels, &joining)
      // FRIBIDI_FLAG_SHAPE_ARAB_PRES and _LIGA.
      fribidi_shape(0x100 | 0x200, levels, count, &joining, text.baseAddress)
    }
  }
}

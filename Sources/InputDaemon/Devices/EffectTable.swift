/// Which effect of the clone is which effect of the device.
struct EffectTable {
  private var numbers = [Int16](repeating: -1, count: 96)

  /// The device's number, -1 for none yet.
  subscript(effect: Int16) -> Int16 {
    get { (0..<96).contains(effect) ? numbers[Int(effect)] : -1 }
    set { if (0..<96).contains(effect) { numbers[Int(effect)] = newValue } }
  }
}

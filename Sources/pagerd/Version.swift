/// What this program calls itself, on the wire and to people.
enum Version {
  static let number = "0.1.0"
  static let name = "pagerd " + number
}

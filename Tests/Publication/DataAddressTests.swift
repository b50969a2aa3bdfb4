import Testing

@testable import Publication

@Suite struct DataAddressTests {
  @Test(arguments: [
    ("data:text/plain;base64,SGVsbG8=", "Hello"), ("data:;base64,SGVs%62G8", "Hello"), ("data:,a%20b", "a b"),
    ("data:text/plain,", ""),
    ("data:image/svg+xml;charset=utf-8;base64,PHN2Zy8+", "<svg/>"), ("data:;base64,SGVs\n bG8=", "Hello"),
  ])
  func holdsItsContents(_ address: String, _ text: String) {
    #expect(DataAddress.bytes(address) == Array(text.utf8))
  }

  @Test(arguments: ["data:", "data:;base64", "data:;base64,SGV*", "x"])
  func orNothing(_ address: String) { #expect(DataAddress.bytes(address) == nil) }
}

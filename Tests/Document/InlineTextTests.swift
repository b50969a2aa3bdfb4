import Document
import Testing

/// From scalars of a run to offsets of the source.
@Suite struct InlineTextTests {
  @Test(arguments: [
    (InlineText.Offsets.from(7), 0, 7), (.from(7), 3, 10), (.all(7), 3, 7), (.each([4, 4, 9]), 1, 4),
    (.each([4, 4, 9]), 2, 9),
    (.each([4, 4, 9]), 5, 9), (.each([]), 0, 0),
  ])
  func offsets(_ offsets: InlineText.Offsets, _ scalar: Int, _ expected: Int) {
    #expect(offsets.offset(ofScalar: scalar) == expected)
  }

  @Test func plainTextLeavesReadingsOut() {
    let text = InlineText(runs: [
      InlineText.Run(text: "漢字", offsets: .from(0), ruby: "かんじ"),
      InlineText.Run(text: "\u{FFFC}", offsets: .from(5), image: ImageReference(source: "a.png")),
      InlineText.Run(text: "です", offsets: .from(6)),
    ])
    #expect(text.plainText == "漢字\u{FFFC}です")
  }
}

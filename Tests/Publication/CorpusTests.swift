import Document
import Glibc
import Publication
import Testing
import TestSupport

/// Every book of the shared corpus opens, or says precisely why not.
@Suite struct CorpusTests {
  @Test(arguments: SharedFiles.list("corpus/epub", ending: ".epub"))
  func opens(_ path: String) throws {
    let book = try Book(path: path)
    #expect(!book.spine.isEmpty)
    for index in book.spine.indices {
      let document = try book.document(at: index)
      #expect(document.length >= 0)
    }
  }
}

import PageKeys
import TestSupport

/// The shipped profiles, read once.
enum Profiles {
  static let shipped: Configuration = {
    var configuration = Configuration()
    for name in TextFiles.names(in: TestPaths.root + "/devices.d", ending: ".conf") {
      do {
        try configuration.add(TextFiles.text(TestPaths.root + "/devices.d/" + name) ?? "", file: name)
      } catch {
        preconditionFailure("\(error)")
      }
    }
    return configuration
  }()
}

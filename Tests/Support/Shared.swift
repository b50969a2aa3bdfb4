/// The folder of shared test material beside the checkout, and the fixtures inside it.
public enum TestPaths {
  /// The root of the checkout, without a trailing slash.
  public static let root: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// `shared/` beside the checkout: traces, cases and corpus. It may be absent; a test that needs it says so.
  public static let shared: String = {
    var parts = root.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast()
    return parts.joined(separator: "/") + "/shared"
  }()
}

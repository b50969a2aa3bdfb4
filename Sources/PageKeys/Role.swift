/// What pagerd does with a device.
public enum Role: String, Sendable, Hashable, CaseIterable {
  /// Page keys are commands, everything else is swallowed while routed.
  case pageTurner = "page-turner"
  /// Page keys are commands, everything else passes.
  case shared
  /// Never held.
  case ignore
}

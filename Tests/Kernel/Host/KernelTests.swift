import KernelCatalogue
import TestSupport
import Testing

/// Every scenario of the catalogue, on a real kernel: one boot a machine, one test a scenario.
///
/// A machine that cannot boot one (no QEMU, no kernel package to be had) fails all of them and says why: a green run
/// without a kernel would promise what nobody has seen.
@Suite("Real kernel")
struct KernelTests {
  @Test("Scenario", arguments: Scenario.allCases)
  func scenario(_ scenario: Scenario) async throws {
    let boot = try await Boots.shared.boot(of: scenario.machine)
    guard let result = boot.results[scenario.rawValue] else {
      Issue.record("\(scenario.rawValue) was not reached; \(boot.ending)")
      return
    }
    #expect(!result.checks.isEmpty, "\(scenario.rawValue) checked nothing")
    for check in result.checks where !check.holds {
      Issue.record("\(scenario.rawValue): \(check.name): \(check.detail)")
    }
    if !result.ended { Issue.record("\(scenario.rawValue) did not end; \(boot.ending)") }
    if !result.ended || result.checks.contains(where: { !$0.holds }) {
      Issue.record("logs of \(scenario.rawValue):\n\(boot.logs(of: scenario.rawValue))")
    }
  }
}

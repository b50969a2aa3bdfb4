import CKernelShims
import Glibc
import KernelCatalogue

// kernel-scenarios BINARIES ROOT OUT MACHINE [SCENARIO...]
// Runs inside the test machine as root; the report goes to OUT/report.tsv; ROOT is the checkout.
let words = CommandLine.arguments
if words.count == 3, words[1] == "--rumble" { exit(Helpers.rumble(words[2])) }
if words.count == 3, words[1] == "--flood" { exit(Helpers.flood(words[2])) }
guard words.count >= 5, let machine = Scenario.Machine(rawValue: words[4]) else {
  print("usage: kernel-scenarios BINARIES ROOT OUT desktop|field|bare [SCENARIO...]")
  exit(2)
}
setenv("KERNEL_SCENARIOS_BIN", words[1], 1)
setenv("KERNEL_SCENARIOS_ROOT", words[2], 1)
setenv("TESTBED_OUT", words[3], 1)
signal(SIGPIPE, SIG_IGN)
Files.makeFolder("/etc/pagerd/devices.d")
let report = Report(folder: words[3])

if machine != .bare {
  for command in [
    ["/lib/systemd/systemd-udevd", "--daemon"], ["/usr/bin/udevadm", "trigger", "--subsystem-match=input"],
    ["/usr/bin/udevadm", "settle"],
  ] {
    let run = try Process.run(command)
    if run.code != 0 { print("\(command.joined(separator: " ")): \(run.code) \(run.output)") }
  }
}

let chosen = words.count > 5 ? words[5...].compactMap(Scenario.init(rawValue:)) : machine.scenarios
var failures = 0
for scenario in chosen {
  let began = ks_now()
  report.begin(scenario.rawValue)
  let world = World(scenario: scenario.rawValue, report: report)
  do {
    try Scenarios.run(scenario, in: world)
  } catch {
    world.check("goes through to its end", false, "\(error)")
  }
  world.finish()
  failures += world.failures
  report.end(scenario.rawValue, milliseconds: (ks_now() - began) / 1000)
}
report.done()
exit(failures == 0 ? 0 : 1)

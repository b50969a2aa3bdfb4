# Figures in, one table out: what, measured, floor, ratio, bar, verdict.
#   figure NAME ROUND P50 P99 (ns)    count NAME VALUE    note TEXT
#   reading LABEL READER EPR EPY MUTOOL BAR VERDICT, divided by tabs
function worst(name, which,   round, value) {
  value = 0
  for (round = 1; round <= 3; round++) if (samples[name, round, which] > value) value = samples[name, round, which]
  return value
}
function least(name, which,   round, value) {
  value = 0
  for (round = 1; round <= 3; round++)
    if (samples[name, round, which] && (!value || samples[name, round, which] < value))
      value = samples[name, round, which]
  return value
}
function row(label, measured, against, ratio, bar, holds) {
  printf "%-46s %12s %30s %6s %10s  %s\n", label, measured, against, ratio, bar, holds
  if (holds == "FAIL") failed++
}
function beside(label, ours, epr, epy, mutool, bar, holds) {
  printf "%-46s %9s %9s %9s %9s  %-12s  %s\n", label, ours, epr, epy, mutool, bar, holds
  if (holds == "FAIL") failed++
}
# The best round of the floor against the worst of ours would punish noise; medians of the rounds are compared.
function middle(name, which,   a, b, c) {
  a = samples[name, 1, which]; b = samples[name, 2, which]; c = samples[name, 3, which]
  if ((a >= b && a <= c) || (a <= b && a >= c)) return a
  if ((b >= a && b <= c) || (b <= a && b >= c)) return b
  return c
}
function ratio(label, name, floor, which, bar,   mine, theirs) {
  mine = middle(name, which); theirs = middle(floor, which)
  if (!mine || !theirs) return row(label, mine ? mine : "none", theirs ? theirs : "none", "-", bar, "FAIL")
  row(label, sprintf("%.1f us", mine / 1000), sprintf("%.1f us", theirs / 1000), sprintf("%.2f", mine / theirs),
      "<= " bar, mine / theirs <= bar ? "PASS" : "FAIL")
}
function bound(label, name, bar, unit) {
  if (!(name in counts)) return row(label, "none", "", "", "<= " bar, "FAIL")
  row(label, counts[name] " " unit, "", "", "<= " bar, counts[name] <= bar ? "PASS" : "FAIL")
}
$1 == "figure" { samples[$2, $3, 50] = $4; samples[$2, $3, 99] = $5; seen[$2] = 1 }
$1 == "count" { counts[$2] = $3 }
$1 == "note" { sub(/^note /, ""); notes = notes "\n" $0 }
$1 == "reading" { reading[++rows] = $0 }
END {
  if (what != "reading") {
    row("what", "measured", "against", "ratio", "bar", "")
    ratio("press to command, p50 / C relay", "pagerd-press", "relay-press", 50, 1.3)
    ratio("press to command, p99 / C relay", "pagerd-press", "relay-press", 99, 1.3)
    ratio("letter through the clone, p50 / C relay", "pagerd-letter", "relay-letter", 50, 1.2)
    ratio("letter through the clone, p99 / C relay", "pagerd-letter", "relay-letter", 99, 1.2)
    if (seen["interception-letter"])
      row("  the same by interception-tools, p50", sprintf("%.1f us", middle("interception-letter", 50) / 1000),
          sprintf("%.1f us", middle("relay-letter", 50) / 1000),
          sprintf("%.2f", middle("interception-letter", 50) / middle("relay-letter", 50)), "-", "")
    ratio("press among 30 clients, a deaf and a flooder", "hostile-press", "crowd-press", 50, 1.2)
    bound("heap allocations a press", "allocations-presses", 0, "")
    bound("heap allocations a letter", "allocations-letters", 0, "")
    bound("wake-ups in 60 s with nothing held", "idle-wakeups", 0, "")
    bound("anonymous resident memory", "rss-anon", 1536, "kB")
    bound("resident memory", "rss", 8192, "kB")
  }
  if (rows) beside("reading", "reader", "epr", "epy", "mutool", "bar", "")
  for (index_ = 1; index_ <= rows; index_++) {
    split(reading[index_], part, "\t")
    beside(part[2], part[3], part[4], part[5], part[6], part[7], part[8])
  }
  if (notes != "") print notes
  print failed ? "\n" failed " bar(s) missed" : "\nall bars held"
  exit failed ? 1 : 0
}

# One book's samples in ("WHO WHAT FIGURES..."), rows for table.awk out:
#   reading LABEL READER EPR EPY MUTOOL BAR VERDICT
function median(who, what, field,   key, count, i, j, swap, sorted) {
  key = who SUBSEP what
  count = counts[key]
  if (!count) return "-"
  if (key in failed) return failed[key]
  for (i = 1; i <= count; i++) sorted[i] = values[key, i, field] + 0
  for (i = 2; i <= count; i++)
    for (j = i; j > 1 && sorted[j - 1] > sorted[j]; j--) { swap = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = swap }
  return sorted[int((count + 1) / 2)]
}
function isNumber(value) { return value ~ /^[0-9.e+]+$/ }
function shown(value, factor, format) { return isNumber(value) ? sprintf(format, value * factor) : value }
# A bar that is a number, or "" where there is nothing to compare with.
function row(label, what, field, factor, format, bar, says,   mine, verdict) {
  mine = median("reader", what, field)
  verdict = !isNumber(mine) ? "FAIL" : bar == "" ? "" : mine * factor <= bar ? "PASS" : "FAIL"
  printf "reading\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", label, shown(mine, factor, format),
    shown(median("epr", what, field), factor, format), shown(median("epy", what, field), factor, format),
    shown(median("mutool", what, field), factor, format), says, verdict
}
{
  key = $1 SUBSEP $2
  counts[key]++
  for (field = 3; field <= NF; field++) values[key, counts[key], field - 2] = $field
  if (!isNumber($3)) failed[key] = $3
}
END {
  printf "reading\t%s, %.1f MB\n", book, bytes / 1e6
  theirs = median("epr", "page", 1)
  if (!isNumber(theirs)) none = "no epr to compare"
  row("  first page, ms", "page", 1, 1, "%.1f", isNumber(theirs) ? theirs / 2 : "",
    none ? none : "<= epr / 2")
  row("    memory, MB", "page", 3, 0.001, "%.1f", 30, "<= 30")
  theirs = median("epr", "whole", 2)
  row("  whole book, CPU ms", "whole", 2, 1, "%.0f", isNumber(theirs) ? (theirs > 300 ? theirs / 2 : theirs) : "",
    none ? none : theirs > 300 ? "<= epr / 2" : "<= epr")
  row("  a turn, CPU ms", "turns", 1, 1, "%.2f", 1, "< 1")
  row("    writes, mostly", "turns", 2, 1, "%d", 1, "1")
  row("  reading, memory MB", "turns", 4, 0.001, "%.1f", 60, "<= 60")
}

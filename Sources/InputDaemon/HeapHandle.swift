internal import CLinux

/// Gives memory back that only the start needed.
func trimHeap() { cl_trim_heap() }

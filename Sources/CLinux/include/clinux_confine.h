// Shuts a process in before it looks at hostile bytes, and starts such a process.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Limits this process and its memory, so that a bomb ends it and nothing else: `memory` bytes of address space,
// `seconds` of CPU, no files written, no core. It dies with its parent. Returns 0 or an errno.
int cl_confine_limits(size_t memory, unsigned seconds);

// From now on this thread and those it starts can compute, use memory and the descriptors that are open, and end.
// Every other system call fails with EPERM. Where the kernel has Landlock, files below `readable` (a null-terminated
// list) may still be opened for reading; elsewhere nothing can be opened. Returns 0 or an errno.
int cl_confine_calls(const char *const *readable);

// Starts `path` with `socket` as its standard input and output, nothing as its standard error, no argument and no
// environment but the locale's. Returns the process, or the negated errno.
long cl_spawn_worker(const char *path, int socket);

// Kills the process and collects it.
void cl_end_worker(pid_t process);

// One ioctl on a thread beside the caller's, for those that the kernel lets wait.
#pragma once
#include <stdbool.h>

// The caller keeps the memory, the descriptor and what the argument points to until `done`.
struct cl_aside {
  int fd;
  unsigned long request;
  void *argument;
  // Becomes readable when the call is over.
  int wake;
  // What ioctl returned, or the negated errno.
  long result;
  int done;
};

// 0, or the negated errno: no thread could be made, and nothing was called.
long cl_aside_start(struct cl_aside *aside);
// True once, when the call is over, `result` stands.
bool cl_aside_done(const struct cl_aside *aside);
// An eventfd, or the negated errno.
long cl_eventfd(void);
// Takes what made the eventfd readable.
void cl_eventfd_clear(int fd);

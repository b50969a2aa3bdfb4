#include "clinux_aside.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

// It allocates nothing; what the C library frees as a thread ends stays in the one heap that there is.
static void *run(void *argument) {
  struct cl_aside *aside = argument;
  int wake = aside->wake;
  int result;
  do {
    result = ioctl(aside->fd, aside->request, aside->argument);
  } while (result < 0 && errno == EINTR);
  aside->result = result < 0 ? -(long)errno : result;
  // From here on the memory may be gone.
  __atomic_store_n(&aside->done, 1, __ATOMIC_RELEASE);
  uint64_t one = 1;
  ssize_t written = write(wake, &one, sizeof one);
  (void)written;
  return NULL;
}

long cl_aside_start(struct cl_aside *aside) {
  mallopt(M_ARENA_MAX, 1);
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure != 0) return -failure;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN + 131072);
  // Signals are the loop's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  failure = pthread_create(&thread, &attributes, run, aside);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return -failure;
}

bool cl_aside_done(const struct cl_aside *aside) { return __atomic_load_n(&aside->done, __ATOMIC_ACQUIRE) != 0; }

long cl_eventfd(void) {
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

void cl_eventfd_clear(int fd) {
  uint64_t count;
  ssize_t got = read(fd, &count, sizeof count);
  (void)got;
}

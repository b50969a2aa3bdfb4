// Counts writes to terminals into a shared page, so that a bench sees them as the program makes them.
// LD_PRELOAD this; WRITE_COUNT names a file of at least 8 bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static uint64_t until_mapped;
static volatile uint64_t *count = &until_mapped;
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);

__attribute__((constructor)) static void map(void) {
  const char *path = getenv("WRITE_COUNT");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) count = page;
}

static void note(int file) {
  int kept = errno;
  if (isatty(file)) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  errno = kept;
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (!real_write) real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  note(file);
  return real_write(file, bytes, length);
}

ssize_t writev(int file, const struct iovec *pieces, int number) {
  if (!real_writev) real_writev = (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  note(file);
  return real_writev(file, pieces, number);
}

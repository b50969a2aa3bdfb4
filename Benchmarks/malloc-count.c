// Counts heap allocations into a shared page, so that a bench reads them without disturbing the program.
// LD_PRELOAD this; MALLOC_COUNT names a file of at least 8 bytes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static uint64_t until_mapped;
static volatile uint64_t *count = &until_mapped;

__attribute__((constructor)) static void map(void) {
  const char *path = getenv("MALLOC_COUNT");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) count = page;
}

static void one(void) { __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) { return one(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return one(), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return one(), __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return one(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return one(), __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  one();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

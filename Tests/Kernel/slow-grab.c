// Preloaded into pagerd: grabbing a device takes long on both sides of the kernel's own step, so that what is typed
// meanwhile falls into every gap there is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/input.h>
#include <stdarg.h>
#include <unistd.h>

#define GAP_MICROSECONDS 8000

int ioctl(int descriptor, unsigned long request, ...) {
  static int (*next)(int, unsigned long, ...);
  if (next == NULL) next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  int is_gap = request == EVIOCGRAB || (request & ~(unsigned long)IOCSIZE_MASK) == (EVIOCGKEY(0) & ~(unsigned long)IOCSIZE_MASK);
  if (is_gap) usleep(GAP_MICROSECONDS);
  int result = next(descriptor, request, argument);
  if (is_gap) usleep(GAP_MICROSECONDS);
  return result;
}

#include "clinux_terminal.h"
#include "clinux.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
enum { crash_count = sizeof crash_signals / sizeof crash_signals[0] };

// Only one terminal is guarded at a time; `armed` is the last thing set and the first thing cleared.
static int armed;
static int guarded_fd = -1;
static struct termios guarded_mode;
static char guarded_bytes[256];
static size_t guarded_length;
static int installed;
// A stack of its own, so that an overflowing stack can still be reported to the terminal.
static char handler_stack[64 * 1024];

void clinux_terminal_restore(void) {
  if (!__atomic_exchange_n(&armed, 0, __ATOMIC_ACQ_REL)) return;
  int saved_errno = errno;
  // A process in the background would be stopped by tcsetattr; blocked, the signal lets the call through.
  sigset_t block, old;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  sigprocmask(SIG_BLOCK, &block, &old);
  size_t done = 0;
  while (done < guarded_length) {
    ssize_t count = write(guarded_fd, guarded_bytes + done, guarded_length - done);
    if (count > 0) {
      done += (size_t)count;
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN) {
      // A terminal that takes nothing for half a second (stopped by Ctrl-S) is left with its mode set at least.
      struct pollfd wait = {.fd = guarded_fd, .events = POLLOUT};
      if (poll(&wait, 1, 500) <= 0) break;
    } else {
      break;
    }
  }
  tcflush(guarded_fd, TCIFLUSH);
  tcsetattr(guarded_fd, TCSANOW, &guarded_mode);
  sigprocmask(SIG_SETMASK, &old, NULL);
  errno = saved_errno;
}

static void crashed(int number) {
  clinux_terminal_restore();
  // Then it takes its usual course, when this handler returns. Not the runtime's: that asks questions on the terminal.
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, NULL);
  raise(number);
}

void clinux_terminal_guard_bytes(const char *bytes, size_t length) {
  if (length > sizeof guarded_bytes) length = sizeof guarded_bytes;
  int was = __atomic_exchange_n(&armed, 0, __ATOMIC_ACQ_REL);
  memcpy(guarded_bytes, bytes, length);
  guarded_length = length;
  __atomic_store_n(&armed, was, __ATOMIC_RELEASE);
}

int clinux_terminal_guard(int fd, const struct termios *saved, const char *bytes, size_t length) {
  guarded_fd = fd;
  guarded_mode = *saved;
  clinux_terminal_guard_bytes(bytes, length);
  if (!installed) {
    installed = 1;
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    if (sigaltstack(&stack, NULL) != 0) return errno;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = crashed;
    action.sa_flags = SA_ONSTACK;
    // A parent may have left them blocked, and the kernel ends a process without its handler then.
    sigset_t crashes;
    sigemptyset(&crashes);
    for (int index = 0; index < crash_count; index++) {
      sigaddset(&crashes, crash_signals[index]);
      if (sigaction(crash_signals[index], &action, NULL) != 0) return errno;
    }
    sigprocmask(SIG_UNBLOCK, &crashes, NULL);
    atexit(clinux_terminal_restore);
  }
  __atomic_store_n(&armed, 1, __ATOMIC_RELEASE);
  return 0;
}

void clinux_terminal_stop(int whole_group) {
  sigset_t stop, old;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &before);
  sigprocmask(SIG_UNBLOCK, &stop, &old);
  kill(whole_group ? 0 : getpid(), SIGTSTP);
  // Here it stands still until SIGCONT.
  sigprocmask(SIG_SETMASK, &old, NULL);
  sigaction(SIGTSTP, &before, NULL);
}

int clinux_terminal_size(int fd, int *columns, int *rows, int *width, int *height) {
  struct winsize size;
  memset(&size, 0, sizeof size);
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  *width = size.ws_xpixel;
  *height = size.ws_ypixel;
  return 0;
}

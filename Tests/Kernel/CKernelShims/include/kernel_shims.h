// What the guest's side of the kernel tests needs and Swift's Glibc module cannot import: ioctl macros of uinput and
// evdev, uhid's packed events, a few system calls. Deliberately apart from the daemon's own handles: a test that used
// them would share their mistakes.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <linux/uinput.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline int ks_uinput_open(void) { return open("/dev/uinput", O_RDWR | O_NONBLOCK | O_CLOEXEC); }

static inline int ks_uinput_bit(int fd, int type, int code) {
  unsigned long request = type == EV_KEY   ? UI_SET_KEYBIT
                          : type == EV_REL ? UI_SET_RELBIT
                          : type == EV_ABS ? UI_SET_ABSBIT
                          : type == EV_MSC ? UI_SET_MSCBIT
                          : type == EV_LED ? UI_SET_LEDBIT
                          : type == EV_SW  ? UI_SET_SWBIT
                          : type == EV_FF  ? UI_SET_FFBIT
                                           : 0;
  if (ioctl(fd, UI_SET_EVBIT, type) < 0) return -1;
  return request == 0 ? 0 : ioctl(fd, request, code);
}

static inline int ks_uinput_axis(int fd, int code, int minimum, int maximum, int flat, int value) {
  struct uinput_abs_setup setup = {
      .code = (uint16_t)code, .absinfo = {.value = value, .minimum = minimum, .maximum = maximum, .flat = flat}};
  if (ioctl(fd, UI_SET_EVBIT, EV_ABS) < 0) return -1;
  return ioctl(fd, UI_ABS_SETUP, &setup);
}

static inline int ks_uinput_property(int fd, int property) { return ioctl(fd, UI_SET_PROPBIT, property); }

static inline int ks_uinput_phys(int fd, const char *phys) { return ioctl(fd, UI_SET_PHYS, phys); }

static inline int ks_uinput_create(int fd, const char *name, int bus, int vendor, int product, int effects) {
  struct uinput_setup setup = {.ff_effects_max = (uint32_t)effects};
  setup.id.bustype = (uint16_t)bus;
  setup.id.vendor = (uint16_t)vendor;
  setup.id.product = (uint16_t)product;
  setup.id.version = 1;
  strncpy(setup.name, name, UINPUT_MAX_NAME_SIZE - 1);
  if (ioctl(fd, UI_DEV_SETUP, &setup) < 0) return -1;
  return ioctl(fd, UI_DEV_CREATE);
}

static inline int ks_uinput_sysname(int fd, char *name, size_t length) {
  return ioctl(fd, UI_GET_SYSNAME(length), name);
}

static inline int ks_evdev_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }
static inline int ks_evdev_grab(int fd, int on) { return ioctl(fd, EVIOCGRAB, on); }
static inline int ks_evdev_monotonic(int fd) {
  int clock = CLOCK_MONOTONIC;
  return ioctl(fd, EVIOCSCLOCKID, &clock);
}
static inline int ks_evdev_keys(int fd, uint8_t *bits, size_t length) { return ioctl(fd, EVIOCGKEY(length), bits); }
static inline int ks_evdev_leds(int fd, uint8_t *bits, size_t length) { return ioctl(fd, EVIOCGLED(length), bits); }
static inline int ks_evdev_switches(int fd, uint8_t *bits, size_t length) { return ioctl(fd, EVIOCGSW(length), bits); }
static inline int ks_evdev_axis(int fd, int code, struct input_absinfo *info) {
  return ioctl(fd, EVIOCGABS(code), info);
}
static inline int ks_evdev_name(int fd, char *text, size_t length) { return ioctl(fd, EVIOCGNAME(length), text); }
static inline int ks_evdev_phys(int fd, char *text, size_t length) { return ioctl(fd, EVIOCGPHYS(length), text); }
static inline int ks_evdev_repeat(int fd, unsigned int times[2]) { return ioctl(fd, EVIOCGREP, times); }
static inline int ks_evdev_set_repeat(int fd, unsigned int times[2]) { return ioctl(fd, EVIOCSREP, times); }
static inline int ks_evdev_bits(int fd, int type, uint8_t *bits, size_t length) {
  return ioctl(fd, EVIOCGBIT(type, length), bits);
}
static inline int ks_evdev_upload(int fd, int strength) {
  struct ff_effect effect = {.type = FF_RUMBLE, .id = -1};
  effect.replay.length = 100;
  effect.u.rumble.strong_magnitude = (uint16_t)strength;
  return ioctl(fd, EVIOCSFF, &effect) < 0 ? -1 : effect.id;
}
static inline int ks_evdev_erase(int fd, int identifier) { return ioctl(fd, EVIOCRMFF, identifier); }

/// Answers one upload or erase request that was read from the uinput descriptor; returns the magnitude of an upload.
static inline int ks_uinput_answer_upload(int fd, int request) {
  struct uinput_ff_upload upload = {.request_id = (uint32_t)request};
  if (ioctl(fd, UI_BEGIN_FF_UPLOAD, &upload) < 0) return -1;
  upload.retval = 0;
  int strength = upload.effect.u.rumble.strong_magnitude;
  return ioctl(fd, UI_END_FF_UPLOAD, &upload) < 0 ? -1 : strength;
}
static inline int ks_uinput_answer_erase(int fd, int request) {
  struct uinput_ff_erase erase = {.request_id = (uint32_t)request};
  if (ioctl(fd, UI_BEGIN_FF_ERASE, &erase) < 0) return -1;
  erase.retval = 0;
  return ioctl(fd, UI_END_FF_ERASE, &erase);
}

static inline int ks_uhid_open(void) { return open("/dev/uhid", O_RDWR | O_NONBLOCK | O_CLOEXEC); }

static inline int ks_uhid_create(
    int fd, const char *name, const char *phys, const char *uniq, int bus, int vendor, int product,
    const uint8_t *descriptor, size_t length) {
  struct uhid_event event = {.type = UHID_CREATE2};
  if (length > sizeof event.u.create2.rd_data) {
    errno = E2BIG;
    return -1;
  }
  strncpy((char *)event.u.create2.name, name, sizeof event.u.create2.name - 1);
  strncpy((char *)event.u.create2.phys, phys, sizeof event.u.create2.phys - 1);
  strncpy((char *)event.u.create2.uniq, uniq, sizeof event.u.create2.uniq - 1);
  event.u.create2.rd_size = (uint16_t)length;
  event.u.create2.bus = (uint16_t)bus;
  event.u.create2.vendor = (uint32_t)vendor;
  event.u.create2.product = (uint32_t)product;
  memcpy(event.u.create2.rd_data, descriptor, length);
  return write(fd, &event, sizeof event) == sizeof event ? 0 : -1;
}

static inline int ks_uhid_input(int fd, const uint8_t *report, size_t length) {
  struct uhid_event event = {.type = UHID_INPUT2};
  if (length > sizeof event.u.input2.data) return -1;
  event.u.input2.size = (uint16_t)length;
  memcpy(event.u.input2.data, report, length);
  return write(fd, &event, sizeof event) == sizeof event ? 0 : -1;
}

/// Reads one event; 1 for an output report (its first bytes in `report`), 0 for any other, -1 when there is none.
static inline int ks_uhid_read(int fd, uint8_t report[8]) {
  struct uhid_event event;
  if (read(fd, &event, sizeof event) <= 0) return -1;
  if (event.type == UHID_GET_REPORT) {
    struct uhid_event answer = {.type = UHID_GET_REPORT_REPLY};
    answer.u.get_report_reply.id = event.u.get_report.id;
    answer.u.get_report_reply.err = EIO;
    if (write(fd, &answer, sizeof answer) < 0) return 0;
    return 0;
  }
  if (event.type != UHID_OUTPUT) return 0;
  memcpy(report, event.u.output.data, 8);
  return 1;
}

/// Closes a descriptor whose closing blocks, in a process of its own.
static inline void ks_close_apart(int fd) {
  int pid = fork();
  if (pid == 0) {
    poll(NULL, 0, 20); // until the other one has closed it
    _exit(0);
  }
  close(fd);
}

static inline int ks_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

static inline int ks_connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int reason = errno;
  close(fd);
  errno = reason;
  return -1;
}

/// The same for another user: the kernel tells the other end who connected.
static inline int ks_connect_unix_as(const char *path, unsigned int user) {
  if (user == 0) return ks_connect_unix(path);
  if (seteuid(user) < 0) return -1;
  int fd = ks_connect_unix(path);
  int reason = errno;
  if (seteuid(0) < 0) _exit(70);
  errno = reason;
  return fd;
}

static inline uint64_t ks_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/// Exit code, 128 + signal, or -1 while it runs.
static inline int ks_wait(int pid, int block) {
  int status;
  if (waitpid(pid, &status, block ? 0 : WNOHANG) != pid) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Starts a program with both outputs appended to `log`, in a session of its own; 0 on failure.
static inline int ks_spawn(const char *path, char *const arguments[], char *const environment[], const char *log) {
  int pid = fork();
  if (pid != 0) return pid < 0 ? 0 : pid;
  setsid();
  int none = open("/dev/null", O_RDONLY);
  int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(none, 0);
  dup2(out, 1);
  dup2(out, 2);
  execve(path, arguments, environment);
  _exit(127);
}

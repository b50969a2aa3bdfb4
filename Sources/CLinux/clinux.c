// In the source only: the header must agree with Swift's own view of the C library.
#define _GNU_SOURCE
#include "clinux.h"

#include <malloc.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A plan belongs to one thread, so that tests that run side by side do not meet.
enum { FAULT_CAPACITY = 8 };
struct fault {
  enum cl_call call;
  int error;
  unsigned skip, count;
  size_t limit;
};
static _Thread_local struct fault faults[FAULT_CAPACITY];
static _Thread_local unsigned fault_count;
static _Thread_local unsigned fault_calls[CL_CALL_COUNT];

bool cl_fault_inject(enum cl_call call, int error, unsigned skip, unsigned count, size_t limit) {
  if (fault_count == FAULT_CAPACITY) return false;
  faults[fault_count++] = (struct fault){call, error, skip, count, limit};
  return true;
}

void cl_fault_clear(void) {
  fault_count = 0;
  memset(fault_calls, 0, sizeof fault_calls);
}

unsigned cl_fault_count(enum cl_call call) { return call < CL_CALL_COUNT ? fault_calls[call] : 0; }

static int fault_take(enum cl_call call, size_t *length) {
  fault_calls[call]++;
  for (unsigned i = 0; i < fault_count; i++) {
    struct fault *fault = &faults[i];
    if (fault->call != call || fault->count == 0) continue;
    if (fault->skip > 0) {
      fault->skip--;
      continue;
    }
    fault->count--;
    if (fault->error != 0) return fault->error;
    if (length != NULL && *length > fault->limit) *length = fault->limit;
    return 0;
  }
  return 0;
}

int cl_fault_take(enum cl_call call) { return fault_count == 0 ? 0 : fault_take(call, NULL); }

// The one place that retries EINTR and turns errno into the result.
#define CALL_SIZED(call, length, expression)                                              \
  for (;;) {                                                                              \
    int fault_ = __builtin_expect(fault_count != 0, 0) ? fault_take(call, length) : 0;    \
    long result_ = fault_ != 0 ? -fault_ : (long)(expression);                            \
    if (fault_ == 0 && result_ < 0) result_ = -errno;                                     \
    if (result_ != -EINTR) return result_;                                                \
  }
#define CALL(call, expression) CALL_SIZED(call, NULL, expression)

long cl_open(const char *path, int flags, mode_t mode) {
  CALL(CL_OPEN, open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode))
}

long cl_close(int fd) {
  // The descriptor is gone even when close reports an error: a fault closes it, too.
  int fault = fault_count == 0 ? 0 : fault_take(CL_CLOSE, NULL);
  long result = close(fd) < 0 ? -errno : 0;
  return fault != 0 && result == 0 ? -fault : result;
}

long cl_read(int fd, void *buffer, size_t count) { CALL_SIZED(CL_READ, &count, read(fd, buffer, count)) }
long cl_write(int fd, const void *buffer, size_t count) { CALL_SIZED(CL_WRITE, &count, write(fd, buffer, count)) }
long cl_ioctl(int fd, unsigned long request, void *argument) { CALL(CL_IOCTL, ioctl(fd, request, argument)) }
long cl_ioctl_value(int fd, unsigned long request, unsigned long argument) {
  CALL(CL_IOCTL, ioctl(fd, request, argument))
}
long cl_fcntl(int fd, int command, int argument) { CALL(CL_FCNTL, fcntl(fd, command, argument)) }
long cl_fsync(int fd) { CALL(CL_FSYNC, fsync(fd)) }

long cl_socket(int domain, int type, int protocol) {
  CALL(CL_SOCKET, socket(domain, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol))
}
long cl_bind(int fd, const struct sockaddr_un *address, socklen_t length) {
  CALL(CL_BIND, bind(fd, (const struct sockaddr *)address, length))
}
long cl_listen(int fd, int backlog) { CALL(CL_LISTEN, listen(fd, backlog)) }
long cl_connect(int fd, const struct sockaddr_un *address, socklen_t length) {
  CALL(CL_CONNECT, connect(fd, (const struct sockaddr *)address, length))
}
long cl_accept(int fd) { CALL(CL_ACCEPT, accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) }
long cl_send(int fd, const void *buffer, size_t count) {
  CALL_SIZED(CL_SEND, &count, send(fd, buffer, count, MSG_NOSIGNAL | MSG_DONTWAIT))
}
long cl_receive(int fd, void *buffer, size_t count) {
  CALL_SIZED(CL_RECEIVE, &count, recv(fd, buffer, count, MSG_DONTWAIT))
}
long cl_send_to(int fd, const void *buffer, size_t count, const struct sockaddr_un *address, socklen_t length) {
  CALL(CL_SEND, sendto(fd, buffer, count, MSG_NOSIGNAL, (const struct sockaddr *)address, length))
}
long cl_socketpair(int type, int fds[2]) {
  CALL(CL_SOCKETPAIR, socketpair(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds))
}

static long socket_option(int fd, int option) {
  int value = 0;
  socklen_t length = sizeof value;
  CALL(CL_GETSOCKOPT, getsockopt(fd, SOL_SOCKET, option, &value, &length) < 0 ? -1 : value)
}
long cl_socket_error(int fd) { return socket_option(fd, SO_ERROR); }
long cl_socket_type(int fd) { return socket_option(fd, SO_TYPE); }
long cl_is_listening(int fd) {
  long domain = socket_option(fd, SO_DOMAIN);
  if (domain < 0) return domain;
  return domain == AF_UNIX ? socket_option(fd, SO_ACCEPTCONN) : 0;
}

long cl_peer_credentials(int fd, struct cl_credentials *credentials) {
  struct ucred peer = {0, 0, 0};
  socklen_t length = sizeof peer;
  int fault = cl_fault_take(CL_GETSOCKOPT);
  if (fault != 0) return -fault;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -errno;
  *credentials = (struct cl_credentials){peer.pid, peer.uid, peer.gid};
  return 0;
}

long cl_peer_groups(int fd, gid_t *groups, size_t capacity, size_t *count) {
  socklen_t length = (socklen_t)(capacity * sizeof(gid_t));
  int fault = cl_fault_take(CL_GETSOCKOPT);
  if (fault != 0) return -fault;
  int result = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &length);
  *count = length / sizeof(gid_t);
  return result < 0 ? -errno : (long)*count;
}

long cl_unix_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  size_t length = strlen(path);
  if (length == 0) return -EINVAL;
  if (length >= sizeof address->sun_path) return -ENAMETOOLONG;
  memcpy(address->sun_path, path, length);
  if (path[0] == '@') {
    address->sun_path[0] = 0;
    return (long)(offsetof(struct sockaddr_un, sun_path) + length);
  }
  return (long)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

long cl_epoll_create(void) { CALL(CL_EPOLL_CREATE, epoll_create1(EPOLL_CLOEXEC)) }

long cl_epoll_ctl(int epoll, int operation, int fd, uint32_t registration, uint32_t events) {
  struct epoll_event event = {.events = events};
  event.data.u64 = (uint64_t)registration << 32 | (uint32_t)fd;
  CALL(CL_EPOLL_CTL, epoll_ctl(epoll, operation, fd, &event))
}

long cl_epoll_wait(int epoll, struct cl_event *events, int capacity, int timeout_milliseconds) {
  struct epoll_event batch[CL_EPOLL_BATCH];
  if (capacity > CL_EPOLL_BATCH) capacity = CL_EPOLL_BATCH;
  for (;;) {
    int fault = cl_fault_take(CL_EPOLL_WAIT);
    long count = fault != 0 ? -fault : epoll_wait(epoll, batch, capacity, timeout_milliseconds);
    if (fault == 0 && count < 0) count = -errno;
    if (count == -EINTR) continue;
    for (long i = 0; i < count; i++) {
      events[i].events = batch[i].events;
      events[i].fd = (int32_t)(uint32_t)batch[i].data.u64;
      events[i].registration = (uint32_t)(batch[i].data.u64 >> 32);
    }
    return count;
  }
}

long cl_timerfd_create(void) {
  CALL(CL_TIMERFD_CREATE, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))
}

long cl_timerfd_set(int fd, uint64_t deadline_nanoseconds) {
  struct itimerspec when = {0};
  // The kernel refuses times beyond its own range: a deadline that far never comes.
  if (deadline_nanoseconds > INT64_MAX) deadline_nanoseconds = INT64_MAX;
  when.it_value.tv_sec = (time_t)(deadline_nanoseconds / 1000000000u);
  when.it_value.tv_nsec = (long)(deadline_nanoseconds % 1000000000u);
  CALL(CL_TIMERFD_SETTIME, timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL))
}

uint64_t cl_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void signal_set(sigset_t *set, const int *signals, size_t count) {
  sigemptyset(set);
  for (size_t i = 0; i < count; i++) sigaddset(set, signals[i]);
}

long cl_signalfd(const int *signals, size_t count) {
  sigset_t set;
  signal_set(&set, signals, count);
  CALL(CL_SIGNALFD, signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK))
}

long cl_signalfd_read(int fd) {
  struct signalfd_siginfo info;
  long result = cl_read(fd, &info, sizeof info);
  if (result == -EAGAIN) return 0;
  if (result < 0) return result;
  return result == (long)sizeof info ? (long)info.ssi_signo : 0;
}

long cl_signal_mask(const int *signals, size_t count, bool block) {
  sigset_t set;
  signal_set(&set, signals, count);
  int fault = cl_fault_take(CL_SIGMASK);
  return fault != 0 ? -fault : -pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

long cl_inotify_create(void) { CALL(CL_INOTIFY_INIT, inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) }
long cl_inotify_add(int fd, const char *path, uint32_t mask) { CALL(CL_INOTIFY_ADD, inotify_add_watch(fd, path, mask)) }

long cl_unlink(const char *path) { CALL(CL_UNLINK, unlink(path)) }
long cl_rename(const char *from, const char *to) { CALL(CL_RENAME, rename(from, to)) }
long cl_mkdir(const char *path, mode_t mode) { CALL(CL_MKDIR, mkdir(path, mode)) }
long cl_chmod(const char *path, mode_t mode) { CALL(CL_CHMOD, chmod(path, mode)) }
long cl_stat(const char *path, struct stat *result, bool follow) {
  CALL(CL_STAT, follow ? stat(path, result) : lstat(path, result))
}
long cl_fstat(int fd, struct stat *result) { CALL(CL_STAT, fstat(fd, result)) }
long cl_flock(int fd, int operation) { CALL(CL_FLOCK, flock(fd, operation)) }
long cl_poll(struct pollfd *fds, size_t count, int timeout_milliseconds) {
  CALL(CL_POLL, poll(fds, count, timeout_milliseconds))
}
long cl_pipe(int fds[2]) { CALL(CL_PIPE, pipe2(fds, O_CLOEXEC | O_NONBLOCK)) }

bool cl_is_socket(mode_t mode) { return S_ISSOCK(mode); }
bool cl_is_directory(mode_t mode) { return S_ISDIR(mode); }
bool cl_is_regular(mode_t mode) { return S_ISREG(mode); }
uid_t cl_user(void) { return geteuid(); }
pid_t cl_process(void) { return getpid(); }

const char *cl_error_name(int error) {
  const char *name = strerrorname_np(error);
  return name != NULL ? name : "unknown error";
}
const char *cl_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text != NULL ? text : "unknown error";
}

void cl_trim_heap(void) { malloc_trim(0); }

// System calls and macros of Linux that Swift's Glibc module cannot import, and the one seam behind which every call
// of this project that can fail stands.
//
// Each cl_ function returns what the system call returns, or the negated errno. EINTR never comes out of one (it is
// retried here and nowhere else); closing is not retried, as Linux has released the descriptor by then.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>

#include "clinux_aside.h"

// The seam. The numbers are those of `SystemCall` in Swift.
enum cl_call {
  CL_OPEN = 1,
  CL_CLOSE,
  CL_READ,
  CL_WRITE,
  CL_IOCTL,
  CL_FCNTL,
  CL_SOCKET,
  CL_BIND,
  CL_LISTEN,
  CL_CONNECT,
  CL_ACCEPT,
  CL_SEND,
  CL_RECEIVE,
  CL_GETSOCKOPT,
  CL_SOCKETPAIR,
  CL_EPOLL_CREATE,
  CL_EPOLL_CTL,
  CL_EPOLL_WAIT,
  CL_TIMERFD_CREATE,
  CL_TIMERFD_SETTIME,
  CL_SIGNALFD,
  CL_SIGMASK,
  CL_INOTIFY_INIT,
  CL_INOTIFY_ADD,
  CL_UNLINK,
  CL_CHMOD,
  CL_STAT,
  CL_FLOCK,
  CL_POLL,
  CL_PIPE,
  CL_RENAME,
  CL_MKDIR,
  CL_FSYNC,
  CL_CALL_COUNT,
};

// Makes the calls `call` of this thread, after the next `skip` of them, fail `count` times with `error`.
// With `error` 0 the calls go through, but move at most `limit` bytes (reads, writes, sends and receives).
// Returns false when the plan is full.
bool cl_fault_inject(enum cl_call call, int error, unsigned skip, unsigned count, size_t limit);
void cl_fault_clear(void);
// How often `call` was made by this thread since the last clear; counted only while a plan is set.
unsigned cl_fault_count(enum cl_call call);
// For shims outside this file: 0, or the errno with which this call is to fail.
int cl_fault_take(enum cl_call call);

long cl_open(const char *path, int flags, mode_t mode);
long cl_close(int fd);
long cl_read(int fd, void *buffer, size_t count);
long cl_write(int fd, const void *buffer, size_t count);
long cl_ioctl(int fd, unsigned long request, void *argument);
long cl_ioctl_value(int fd, unsigned long request, unsigned long argument);
long cl_fcntl(int fd, int command, int argument);
long cl_fsync(int fd);

long cl_socket(int domain, int type, int protocol);
long cl_bind(int fd, const struct sockaddr_un *address, socklen_t length);
long cl_listen(int fd, int backlog);
long cl_connect(int fd, const struct sockaddr_un *address, socklen_t length);
// Non-blocking and close-on-exec.
long cl_accept(int fd);
// MSG_NOSIGNAL and MSG_DONTWAIT.
long cl_send(int fd, const void *buffer, size_t count);
long cl_receive(int fd, void *buffer, size_t count);
// One datagram to `address`.
long cl_send_to(int fd, const void *buffer, size_t count, const struct sockaddr_un *address, socklen_t length);
long cl_socketpair(int type, int fds[2]);
long cl_socket_error(int fd);
long cl_socket_type(int fd);
// Is it a listening socket of the Unix domain: 1 or 0.
long cl_is_listening(int fd);
struct cl_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
long cl_peer_credentials(int fd, struct cl_credentials *credentials);
// The number of supplementary groups; -ERANGE when `capacity` is too small, with *count as needed.
long cl_peer_groups(int fd, gid_t *groups, size_t capacity, size_t *count);
// The length of the address for `path`, or -ENAMETOOLONG. A leading '@' is an abstract name.
long cl_unix_address(const char *path, struct sockaddr_un *address);

struct cl_event {
  uint32_t events;
  int32_t fd;
  uint32_t registration;
};
long cl_epoll_create(void);
long cl_epoll_ctl(int epoll, int operation, int fd, uint32_t registration, uint32_t events);
// `capacity` is at most CL_EPOLL_BATCH.
#define CL_EPOLL_BATCH 64
long cl_epoll_wait(int epoll, struct cl_event *events, int capacity, int timeout_milliseconds);

long cl_timerfd_create(void);
// Absolute, on CLOCK_MONOTONIC; 0 disarms.
long cl_timerfd_set(int fd, uint64_t deadline_nanoseconds);
uint64_t cl_monotonic_nanoseconds(void);

// `signals` holds `count` signal numbers; they are blocked in this thread.
long cl_signalfd(const int *signals, size_t count);
// The next pending signal, 0 when there is none.
long cl_signalfd_read(int fd);
// Blocks (or, with `block` false, unblocks) `count` signals in this thread.
long cl_signal_mask(const int *signals, size_t count, bool block);

long cl_inotify_create(void);
long cl_inotify_add(int fd, const char *path, uint32_t mask);

long cl_unlink(const char *path);
long cl_rename(const char *from, const char *to);
long cl_mkdir(const char *path, mode_t mode);
long cl_chmod(const char *path, mode_t mode);
long cl_stat(const char *path, struct stat *result, bool follow);
long cl_fstat(int fd, struct stat *result);
long cl_flock(int fd, int operation);
long cl_poll(struct pollfd *fds, size_t count, int timeout_milliseconds);
long cl_pipe(int fds[2]);

bool cl_is_socket(mode_t mode);
bool cl_is_directory(mode_t mode);
bool cl_is_regular(mode_t mode);
uid_t cl_user(void);
pid_t cl_process(void);

// "ENOENT" and "No such file or directory"; never null.
const char *cl_error_name(int error);
const char *cl_error_text(int error);

// Gives memory back to the kernel that only the start needed.
void cl_trim_heap(void);

/// The system calls of this project that can fail, by the numbers of the seam in `clinux.h`.
public enum SystemCall: UInt32, Sendable, CaseIterable {
  case open = 1
  case close, read, write, ioctl, fcntl
  case socket, bind, listen, connect, accept, send, receive, getsockopt, socketpair
  case epollCreate, epollControl, epollWait
  case timerCreate, timerSet, signalCreate, signalMask
  case inotifyCreate, inotifyAdd
  case unlink, chmod, stat, flock, poll, pipe, rename, mkdir, fsync
}

extension SystemCall: CustomStringConvertible {
  /// The manual page's name.
  public var description: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .read: "read"
    case .write: "write"
    case .ioctl: "ioctl"
    case .fcntl: "fcntl"
    case .socket: "socket"
    case .bind: "bind"
    case .listen: "listen"
    case .connect: "connect"
    case .accept: "accept4"
    case .send: "send"
    case .receive: "recv"
    case .getsockopt: "getsockopt"
    case .socketpair: "socketpair"
    case .epollCreate: "epoll_create1"
    case .epollControl: "epoll_ctl"
    case .epollWait: "epoll_wait"
    case .timerCreate: "timerfd_create"
    case .timerSet: "timerfd_settime"
    case .signalCreate: "signalfd"
    case .signalMask: "pthread_sigmask"
    case .inotifyCreate: "inotify_init1"
    case .inotifyAdd: "inotify_add_watch"
    case .unlink: "unlink"
    case .chmod: "chmod"
    case .stat: "stat"
    case .flock: "flock"
    case .poll: "poll"
    case .pipe: "pipe2"
    case .rename: "rename"
    case .mkdir: "mkdir"
    case .fsync: "fsync"
    }
  }
}

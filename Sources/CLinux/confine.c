#define _GNU_SOURCE
#include "clinux_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

int cl_confine_limits(size_t memory, unsigned seconds) {
  const struct {
    int resource;
    rlim_t limit;
  } limits[] = {
      {RLIMIT_AS, memory}, {RLIMIT_CPU, seconds}, {RLIMIT_FSIZE, 0}, {RLIMIT_CORE, 0}, {RLIMIT_NOFILE, 64},
  };
  for (size_t index = 0; index < sizeof limits / sizeof limits[0]; index++) {
    struct rlimit limit = {limits[index].limit, limits[index].limit};
    if (setrlimit(limits[index].resource, &limit) < 0) return errno;
  }
  pid_t parent = getppid();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return errno;
  return getppid() == parent ? 0 : ESRCH;
}

// Returns 1 when only the files below `readable` can be opened from now on, 0 when the kernel has no Landlock.
static int restrict_files(const char *const *readable) {
  // Every right of the first version, so that what is not granted below is denied.
  struct landlock_ruleset_attr attributes = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (ruleset < 0) return 0;
  for (const char *const *path = readable; *path; path++) {
    int parent = open(*path, O_PATH | O_CLOEXEC);
    if (parent < 0) continue;
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = parent,
    };
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(parent);
  }
  int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
  return result == 0;
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define DENY ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define IF_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 1)
#define PERMIT(number) IF_CALL(number), ALLOW
// The low half of argument `index`: all that these flags use.
#define LOAD_ARGUMENT(index) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (index) + LOW_HALF)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW_HALF 0
#else
#define LOW_HALF 4
#endif
// Allows the call when (argument & bits) == wanted; the accumulator is the call's number again otherwise.
#define PERMIT_WHERE(number, index, bits, wanted)                                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 5), LOAD_ARGUMENT(index),                        \
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (bits)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (wanted), 0, 1), \
      ALLOW, DENY

int cl_confine_calls(const char *const *readable) {
#ifndef ARCHITECTURE
  (void)readable;
  return ENOTSUP;
#else
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
  int files = restrict_files(readable);
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      // The x32 calls have numbers of their own, which this list does not know.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
      PERMIT(read), PERMIT(readv), PERMIT(pread64), PERMIT(write), PERMIT(writev), PERMIT(close), PERMIT(fstat),
      PERMIT(lseek), PERMIT(munmap), PERMIT(mremap), PERMIT(madvise), PERMIT(brk),
      // No memory becomes code.
      PERMIT_WHERE(mmap, 2, PROT_EXEC, 0), PERMIT_WHERE(mprotect, 2, PROT_EXEC, 0),
      PERMIT(futex), PERMIT(sched_yield), PERMIT(sched_getaffinity), PERMIT(set_robust_list), PERMIT(rseq),
      PERMIT(rt_sigaction), PERMIT(rt_sigprocmask), PERMIT(rt_sigreturn), PERMIT(sigaltstack),
      PERMIT(clock_gettime), PERMIT(clock_nanosleep), PERMIT(gettimeofday), PERMIT(getrandom), PERMIT(ppoll),
#ifdef SYS_poll
      PERMIT(poll),
#endif
      PERMIT(getpid), PERMIT(gettid), PERMIT(exit), PERMIT(exit_group),
      // Threads, never processes; clone3 hides its flags in memory, so libc is told to use clone.
      PERMIT_WHERE(clone, 0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM),
      IF_CALL(clone3), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      PERMIT_WHERE(prctl, 0, 0xFFFFFFFF, PR_SET_NAME),
      // An abort of its own.
      PERMIT_WHERE(tgkill, 2, 0xFFFFFFFF, SIGABRT),
      // Reading files: Landlock says which; without it, none.
      BPF_JUMP(BPF_JMP | BPF_JA, files ? 0 : 6, 0, 0),
      PERMIT_WHERE(openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY),
      DENY,
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) return errno ? errno : EBUSY;
  return 0;
#endif
}

long cl_spawn_worker(const char *path, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int result = posix_spawn_file_actions_init(&actions);
  if (result) return -result;
  result = posix_spawnattr_init(&attributes);
  if (result) {
    posix_spawn_file_actions_destroy(&actions);
    return -result;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  pid_t process = 0;
  // Signals that the loop blocks or the terminal's keys send are not the worker's matter.
  result = posix_spawnattr_setsigmask(&attributes, &none);
  if (!result) result = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!result) result = posix_spawnattr_setpgroup(&attributes, 0);
  if (!result) {
    result = posix_spawnattr_setflags(&attributes,
                                      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  if (!result) result = posix_spawn_file_actions_adddup2(&actions, socket, 0);
  if (!result) result = posix_spawn_file_actions_adddup2(&actions, socket, 1);
  if (!result) result = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  char *arguments[] = {(char *)path, NULL};
  char *environment[] = {"LC_ALL=C.UTF-8", "PATH=/nonexistent", NULL};
  if (!result) result = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result ? -result : process;
}

void cl_end_worker(pid_t process) {
  kill(process, SIGKILL);
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
  }
}

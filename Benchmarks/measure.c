#define _GNU_SOURCE
// Runs a program and says what it took.
//
//   measure run COMMAND...            until it ends, its output thrown away
//   measure page COMMAND...           on a terminal of 80 x 24, until the first page stands: the last byte before the
//                                     first silence behind it; both print "MILLISECONDS CPU-MILLISECONDS PEAK-KILOBYTES"
//   measure turns COUNTER COMMAND...  the same, and then a hundred pages on, back and forth where the book is shorter; COUNTER
//                                     is write-count.so; prints
//                                     "CPU-MILLISECONDS-A-TURN WRITES-A-TURN MOST-WRITES PEAK-KILOBYTES"
//
// Where that cannot be, one word says why ("exit-1", "signal-11", "no-page", "too-slow"), with exit code 1.
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_S = 120, TURN_MS = 400, PAGE_BYTES = 200, SILENCE_MS = 20, BURST_MS = 3, TURNS = 100, SLOW_TURNS = 3, SLOW_MS = 1300 };

static pid_t child;
static int terminal = -1;

static double read_clock(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

static double now(void) { return read_clock(CLOCK_MONOTONIC); }

// The program's processor time so far, of all its threads.
static double cpu(void) {
  clockid_t clock;
  return clock_getcpuclockid(child, &clock) == 0 ? read_clock(clock) : 0;
}

static void give_up(int number) {
  (void)number;
  kill(child, SIGKILL);
  if (write(1, "too-slow\n", 9) > 0) _exit(1);
  _exit(2);
}

static int end(const char *reason) {
  kill(child, SIGKILL);
  puts(reason);
  return 1;
}

// How it ended before it should.
static int end_as(int status) {
  if (WIFSIGNALED(status))
    printf("signal-%d\n", WTERMSIG(status));
  else
    printf("exit-%d\n", WEXITSTATUS(status));
  return 1;
}

static void start(char **command, int has_terminal, const char *preload, const char *counter) {
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  child = has_terminal ? forkpty(&terminal, NULL, NULL, &size) : fork();
  if (child != 0) {
    signal(SIGALRM, give_up);
    alarm(LIMIT_S);
    return;
  }
  if (!has_terminal) {
    int null = open("/dev/null", O_RDWR);
    for (int stream = 0; stream < 3; stream++) dup2(null, stream);
  }
  setenv("TERM", "xterm-256color", 1);
  if (preload) {
    setenv("LD_PRELOAD", preload, 1);
    setenv("WRITE_COUNT", counter, 1);
  }
  execvp(command[0], command);
  _exit(127);
}

// Reads what the program writes until it is silent for so long. The time of the last byte; 0 if there was none.
static double drain(int silence, size_t *bytes) {
  double last = 0;
  struct pollfd polled = {.fd = terminal, .events = POLLIN};
  while (poll(&polled, 1, silence) > 0) {
    char chunk[65536];
    ssize_t length = read(terminal, chunk, sizeof chunk);
    if (length <= 0) break;
    last = now();
    *bytes += (size_t)length;
    // Who asks the terminal what it is gets the answer of a plain one.
    if (memmem(chunk, (size_t)length, "\033[c", 3) && write(terminal, "\033[?1;2c", 7) < 0) break;
  }
  return last;
}

// The time when the first page stood; 0, with the program's status, if it ended instead.
static double first_page(int *status) {
  size_t bytes = 0;
  double last = 0;
  while (bytes < PAGE_BYTES) {
    // Who counts pages in the background writes again soon.
    double time = drain(BURST_MS, &bytes);
    if (time > 0) last = time;
    if (waitpid(child, status, WNOHANG) == child) return 0;
  }
  return last;
}

// Waits until nothing is done in the background any more.
static void settle(void) {
  size_t bytes = 0;
  double before = cpu();
  for (int quiet = 0; quiet < 5;) {
    drain(100, &bytes);
    double used = cpu();
    quiet = used - before < 1 ? quiet + 1 : 0;
    before = used;
  }
}

// Peak resident memory in kilobytes, while the program still runs.
static long peak(void) {
  char path[64], line[256];
  long kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%d/status", child);
  FILE *file = fopen(path, "re");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &kilobytes);
  if (file) fclose(file);
  return kilobytes;
}

static int compare(const void *one, const void *other) {
  uint64_t first = *(const uint64_t *)one, second = *(const uint64_t *)other;
  return (first > second) - (first < second);
}

static int measure_turns(const char *preload, char **command) {
  char counter[] = "/tmp/write-count.XXXXXX";
  int file = mkstemp(counter), status;
  if (file < 0 || ftruncate(file, 4096) < 0) return end("no-counter");
  volatile uint64_t *writes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  start(command, 1, preload, counter);
  double page = first_page(&status);
  unlink(counter);
  if (page == 0) return end_as(status);
  settle();
  uint64_t counts[TURNS + SLOW_TURNS];
  int turns = 0, refused = 0, direction = 0;
  const char *keys[] = {" ", "\033[5~"};
  double before = cpu();
  while (turns < TURNS + SLOW_TURNS && refused < 2) {
    size_t bytes = 0;
    uint64_t written = *writes;
    const char *key = keys[direction];
    if (write(terminal, key, strlen(key)) < 0) break;
    struct pollfd polled = {.fd = terminal, .events = POLLIN};
    // At the end of the book there is nothing to turn: back, then.
    if (poll(&polled, 1, TURN_MS) <= 0) {
      refused++;
      direction = 1 - direction;
      continue;
    }
    // What is written later tells of something else: a picture that is ready, pages that are counted.
    drain(BURST_MS, &bytes);
    counts[turns] = *writes - written;
    refused = 0;
    // Turned slowly, the place is saved every time.
    drain(turns < TURNS ? SILENCE_MS : SLOW_MS, &bytes);
    if (waitpid(child, &status, WNOHANG) == child) return end_as(status);
    turns++;
  }
  if (turns == 0) return end("no-turn");
  double used = cpu() - before;
  qsort(counts, (size_t)turns, sizeof *counts, compare);
  printf(
      "%.2f %lu %lu %ld\n", used / turns, (unsigned long)counts[turns / 2], (unsigned long)counts[turns - 1], peak());
  kill(child, SIGKILL);
  return 0;
}

int main(int count, char **words) {
  if (count < 3) return 2;
  if (strcmp(words[1], "turns") == 0) return count < 4 ? 2 : measure_turns(words[2], words + 3);
  int is_page = strcmp(words[1], "page") == 0, status = 0;
  double began = now(), last = began;
  start(words + 2, is_page, NULL, NULL);
  if (is_page) {
    last = first_page(&status);
    if (last == 0) return end_as(status);
    kill(child, SIGKILL);
  }
  struct rusage used;
  wait4(child, &status, 0, &used);
  if (!is_page) {
    last = now();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return end_as(status);
  }
  double spent = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
                 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
  printf("%.1f %.1f %ld\n", last - began, spent, used.ru_maxrss);
  return 0;
}

// Presses keys on a device of its own and measures until the other end has them. Runs inside the test machine.
//
//   press relay-socket RELAY        press to line, through the C relay
//   press relay-clone RELAY         letter to the clone's reader, through the C relay
//   press tool NAME COMMAND         letter to the clone's reader, through COMMAND ($NODE is the device)
//   press pagerd PAGERD             press to command, letter to the clone's reader, memory
//   press hostile PAGERD            press to command among 30 clients, then with one that never reads and one that floods
//   press allocations PAGERD SHIM   heap allocations of the daemon for a press and for a letter, over 1000 of each
//   press idle PAGERD               wake-ups of the daemon in 60 s with nothing held
//
// Prints "figure NAME ROUND P50 P99" in ns, and "count NAME VALUE".
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3, PRESSES = 1000 };
static const char socket_path[] = "/run/tmp/bench.sock";
static const char device_name[] = "Bench Keyboard", device_phys[] = "bench/input0";

static void fail(const char *what) {
  fprintf(stderr, "press: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void settle(int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

/// Waits as any client of a loop does. Without a limit: whenever the exact clock's machine waits for its disk, its time
/// leaps to the next timer. The test bed ends what hangs.
static void await(int descriptor) {
  struct pollfd polled = {.fd = descriptor, .events = POLLIN};
  if (poll(&polled, 1, -1) <= 0) fail("poll");
}

// MARK: devices

static int keyboard;
static char keyboard_node[64];

/// The event node with this phys, e.g. "/dev/input/event3"; waits up to 30 s. With `name`, any other node of that name.
static int find_node(const char *phys, const char *name, const char *except, char node[64]) {
  for (int attempt = 0; attempt < 3000; attempt++, settle(10)) {
    for (int number = 0; number < 64; number++) {
      char path[96], text[128] = "";
      snprintf(path, sizeof path, "/sys/class/input/event%d/device/%s", number, phys ? "phys" : "name");
      FILE *file = fopen(path, "r");
      if (!file) continue;
      if (!fgets(text, sizeof text, file)) text[0] = 0;
      fclose(file);
      text[strcspn(text, "\n")] = 0;
      snprintf(node, 64, "/dev/input/event%d", number);
      if (strcmp(text, phys ? phys : name) == 0 && (!except || strcmp(node, except) != 0)) return 0;
    }
  }
  return -1;
}

static void make_keyboard(void) {
  keyboard = open("/dev/uinput", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (keyboard < 0) fail("/dev/uinput");
  int types[] = {EV_KEY, EV_MSC, EV_REP, EV_LED};
  for (int index = 0; index < 4; index++) ioctl(keyboard, UI_SET_EVBIT, types[index]);
  for (int code = 1; code < 128; code++) ioctl(keyboard, UI_SET_KEYBIT, code);
  ioctl(keyboard, UI_SET_MSCBIT, MSC_SCAN);
  ioctl(keyboard, UI_SET_LEDBIT, LED_CAPSL);
  ioctl(keyboard, UI_SET_PHYS, device_phys);
  struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 0x1209, .product = 0x2309}};
  strcpy(setup.name, device_name);
  if (ioctl(keyboard, UI_DEV_SETUP, &setup) < 0 || ioctl(keyboard, UI_DEV_CREATE) < 0) fail("device");
  if (find_node(device_phys, NULL, NULL, keyboard_node) < 0) fail("node");
}

static void frame(int code, int value) {
  struct input_event events[3] = {
      {.type = EV_MSC, .code = MSC_SCAN, .value = 0x70000 + code}, {.type = EV_KEY, .code = code, .value = value}};
  if (write(keyboard, events, sizeof events) < 0) fail("write");
}

// MARK: other programs

static pid_t start(char *const words[], char *const environment[]) {
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execve(words[0], words, environment);
  fail(words[0]);
  return 0;
}

static void stop(pid_t child) {
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  for (int attempt = 0; attempt < 3000; attempt++, settle(10)) {
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address) == 0) {
      return made;
    }
    close(made);
  }
  fail(path);
  return -1;
}

static void say(int connection, const char *line) {
  if (write(connection, line, strlen(line)) < 0) fail("say");
}

static char inbox[65536];
static size_t inbox_length;

/// The next line that contains `wanted`; pings are answered.
static char *hear(int connection, const char *wanted) {
  static char line[65536];
  for (;;) {
    char *end;
    while ((end = memchr(inbox, '\n', inbox_length))) {
      size_t length = (size_t)(end - inbox);
      memcpy(line, inbox, length);
      line[length] = 0;
      inbox_length -= length + 1;
      memmove(inbox, end + 1, inbox_length);
      if (strstr(line, "\"ping\"")) say(connection, "{\"type\":\"pong\"}\n");
      if (strstr(line, wanted)) return line;
    }
    await(connection);
    ssize_t count = read(connection, inbox + inbox_length, sizeof inbox - inbox_length);
    if (count <= 0) fail("hear");
    inbox_length += (size_t)count;
  }
}

/// Starts the daemon and waits until it says that the device is in the state; the connection that asked.
static pid_t start_daemon(char *path, char *shim) {
  setenv("PAGERD_SOCKET", socket_path, 1);
  char first[64], second[256] = "", third[64];
  snprintf(first, sizeof first, "PAGERD_SOCKET=%s", socket_path);
  if (shim) snprintf(second, sizeof second, "LD_PRELOAD=%s", shim);
  snprintf(third, sizeof third, "MALLOC_COUNT=/run/tmp/allocations");
  char *words[] = {path, "run", NULL}, *environment[] = {first, third, second[0] ? second : NULL, NULL};
  return start(words, environment);
}

static void wait_state(int connection, const char *state) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"%s\"", state);
  for (int attempt = 0; attempt < 1000; attempt++, settle(20)) {
    say(connection, "{\"type\":\"status\"}\n");
    char *line = hear(connection, "\"status\""), *name = strstr(line, device_name);
    if (!name) continue;
    char *begin = name, *end = strchr(name, '}');
    while (begin > line && *begin != '{') begin--;
    if (end) *end = 0;
    if (strstr(begin, wanted)) return;
  }
  fail("the device is not held in time");
}

static int claim(void) {
  int reader = connect_to(socket_path);
  say(reader, "{\"type\":\"subscribe\",\"client\":\"bench\",\"role\":\"reader\"}\n{\"type\":\"focus\",\"value\":true}\n");
  wait_state(reader, "held");
  return reader;
}

static long status_field(pid_t process, const char *field) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  long value = -1;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, field, strlen(field)) == 0 && line[strlen(field)] == ':') value = atol(line + strlen(field) + 1);
  fclose(file);
  return value;
}

// MARK: measuring

static int ascending(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

static void report(const char *name, int round, uint64_t samples[PRESSES]) {
  qsort(samples, PRESSES, sizeof *samples, ascending);
  printf(
      "figure %s %d %llu %llu\n", name, round, (unsigned long long)samples[PRESSES / 2],
      (unsigned long long)samples[PRESSES * 99 / 100]);
  fflush(stdout);
}

static uint64_t press_to_line(int connection) {
  uint64_t began = now();
  frame(KEY_VOLUMEDOWN, 1);
  hear(connection, "\"command\"");
  uint64_t took = now() - began;
  frame(KEY_VOLUMEDOWN, 0);
  settle(3);
  return took;
}

/// As long as a press takes, without one: pings go on.
static uint64_t no_press(int connection) {
  struct pollfd polled = {.fd = connection, .events = POLLIN};
  settle(3);
  if (poll(&polled, 1, 0) > 0) hear(connection, "\"ping\"");
  return 0;
}

static void await_key(int node, int value) {
  struct input_event events[64];
  for (;;) {
    await(node);
    ssize_t count = read(node, events, sizeof events) / (ssize_t)sizeof *events;
    if (count <= 0) fail("clone");
    for (ssize_t index = 0; index < count; index++)
      if (events[index].type == EV_KEY && events[index].code == KEY_A && events[index].value == value) return;
  }
}

static uint64_t letter_to_clone(int node) {
  uint64_t began = now();
  frame(KEY_A, 1);
  await_key(node, 1);
  uint64_t took = now() - began;
  frame(KEY_A, 0);
  await_key(node, 0);
  settle(3);
  return took;
}

static void measure(const char *name, uint64_t (*once)(int), int descriptor) {
  static uint64_t samples[PRESSES];
  for (int index = 0; index < 50; index++) once(descriptor);
  for (int round = 1; round <= ROUNDS; round++) {
    for (int index = 0; index < PRESSES; index++) samples[index] = once(descriptor);
    report(name, round, samples);
  }
}

static int open_clone(const char *phys, const char *name) {
  char node[64];
  if (find_node(phys, name, keyboard_node, node) < 0) fail("no clone appeared");
  settle(500);
  int clone = open(node, O_RDONLY | O_CLOEXEC);
  if (clone < 0) fail(node);
  return clone;
}

static int idle_clients[30];

static void add_clients(void) {
  for (int index = 0; index < 30; index++) {
    idle_clients[index] = connect_to(socket_path);
    say(idle_clients[index], "{\"type\":\"subscribe\",\"client\":\"idle\",\"role\":\"reader\"}\n");
  }
}

/// Blocking writes for as long as it is let; comes back after it was dropped.
static pid_t start_flood(void) {
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  static char lines[16384];
  const char *line = "{\"type\":\"subscribe\",\"client\":\"flood\",\"role\":\"observer\"}\n";
  for (size_t at = 0; at + strlen(line) < sizeof lines; at += strlen(line)) memcpy(lines + at, line, strlen(line));
  size_t length = sizeof lines / strlen(line) * strlen(line);
  for (;;) {
    int connection = connect_to(socket_path);
    while (send(connection, lines, length, MSG_NOSIGNAL) > 0) {}
    close(connection);
    settle(50);
  }
}

int main(int count, char **words) {
  if (count < 3) return 2;
  char *mode = words[1], *path = words[2];
  signal(SIGPIPE, SIG_IGN);
  unlink(socket_path);
  make_keyboard();
  if (strcmp(mode, "relay-socket") == 0) {
    char *relay[] = {path, "socket", keyboard_node, (char *)socket_path, NULL}, *none[] = {NULL};
    pid_t child = start(relay, none);
    int connection = connect_to(socket_path);
    settle(100);
    measure("relay-press", press_to_line, connection);
    stop(child);
  } else if (strcmp(mode, "relay-clone") == 0) {
    char *relay[] = {path, "clone", keyboard_node, NULL}, *none[] = {NULL};
    pid_t child = start(relay, none);
    measure("relay-letter", letter_to_clone, open_clone("relay/clone", NULL));
    stop(child);
  } else if (strcmp(mode, "tool") == 0 && count == 4) {
    setenv("NODE", keyboard_node, 1);
    char *shell[] = {"/bin/sh", "-c", words[3], NULL};
    extern char **environ;
    pid_t child = start(shell, environ);
    measure(path, letter_to_clone, open_clone(NULL, device_name));
    stop(child);
  } else if (strcmp(mode, "pagerd") == 0) {
    pid_t child = start_daemon(path, NULL);
    int reader = claim();
    measure("pagerd-press", press_to_line, reader);
    int clone = open_clone("pagerd/bench/input0", NULL);
    measure("pagerd-letter", letter_to_clone, clone);
    printf("count rss-anon %ld\n", status_field(child, "RssAnon"));
    printf("count rss %ld\n", status_field(child, "VmRSS"));
    stop(child);
  } else if (strcmp(mode, "hostile") == 0) {
    pid_t child = start_daemon(path, NULL);
    int reader = claim();
    add_clients();
    measure("crowd-press", press_to_line, reader);
    int deaf = connect_to(socket_path);
    say(deaf, "{\"type\":\"subscribe\",\"client\":\"deaf\",\"role\":\"observer\"}\n");
    pid_t flood = start_flood();
    measure("hostile-press", press_to_line, reader);
    stop(flood);
    stop(child);
  } else if (strcmp(mode, "allocations") == 0 && count == 4) {
    int file = open("/run/tmp/allocations", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, 4096) < 0) fail("allocations");
    volatile uint64_t *allocations = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    pid_t child = start_daemon(path, words[3]);
    int reader = claim(), clone = open_clone("pagerd/bench/input0", NULL);
    for (int index = 0; index < 1000; index++) press_to_line(reader), letter_to_clone(clone);
    if (*allocations == 0) fail("the allocation counter does not count");
    // What pings allocate in the same time is no event's: it is measured without events and taken off.
    uint64_t before = *allocations;
    for (int index = 0; index < 1000; index++) no_press(reader);
    uint64_t pings = *allocations - before;
    before = *allocations;
    for (int index = 0; index < 1000; index++) press_to_line(reader);
    printf("count allocations-presses %llu\n", (unsigned long long)((*allocations - before) / 1000));
    printf("note allocations: %llu in 1000 presses", (unsigned long long)(*allocations - before));
    before = *allocations;
    for (int index = 0; index < 1000; index++) letter_to_clone(clone), no_press(reader);
    printf(
        ", %llu in 1000 letters, %llu in the time of 1000 presses without any (the pings')\n",
        (unsigned long long)(*allocations - before), (unsigned long long)pings);
    printf("count allocations-letters %llu\n", (unsigned long long)((*allocations - before) / 1000));
    stop(child);
  } else if (strcmp(mode, "idle") == 0) {
    pid_t child = start_daemon(path, NULL);
    int watcher = connect_to(socket_path);
    wait_state(watcher, "ready");
    close(watcher);
    settle(5000);
    long before = status_field(child, "voluntary_ctxt_switches") + status_field(child, "nonvoluntary_ctxt_switches");
    settle(60000);
    long after = status_field(child, "voluntary_ctxt_switches") + status_field(child, "nonvoluntary_ctxt_switches");
    printf("count idle-wakeups %ld\n", after - before);
    stop(child);
  } else {
    return 2;
  }
  return 0;
}

// The floor: relays of the shortest form, one blocking read and one write an event frame.
//
//   relay socket NODE PATH   a press of VOLUMEDOWN becomes one line on the first connection to PATH
//   relay clone NODE         every frame is copied to a clone made through uinput
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void need(int holds, const char *what) {
  if (holds) return;
  perror(what);
  exit(1);
}

static void to_socket(int node, const char *path) {
  static const char line[] =
      "{\"type\":\"command\",\"command\":\"next\",\"device\":\"Bench Keyboard\",\"gesture\":\"tap\",\"seq\":17,"
      "\"time_us\":81234567}\n";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  need(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0, path);
  int client = accept(listener, NULL, NULL);
  struct input_event events[64];
  for (;;) {
    ssize_t count = read(node, events, sizeof events) / (ssize_t)sizeof *events;
    if (count <= 0) exit(0);
    for (ssize_t index = 0; index < count; index++)
      if (events[index].type == EV_KEY && events[index].code == KEY_VOLUMEDOWN && events[index].value == 1)
        if (write(client, line, sizeof line - 1) < 0) exit(0);
  }
}

static void to_clone(int node) {
  int clone = open("/dev/uinput", O_RDWR);
  need(clone >= 0, "/dev/uinput");
  uint8_t bits[KEY_MAX / 8 + 1] = {0};
  ioctl(clone, UI_SET_EVBIT, EV_KEY);
  ioctl(node, EVIOCGBIT(EV_KEY, sizeof bits), bits);
  for (int code = 0; code < KEY_MAX; code++)
    if (bits[code / 8] & 1 << code % 8) ioctl(clone, UI_SET_KEYBIT, code);
  ioctl(clone, UI_SET_EVBIT, EV_MSC);
  ioctl(clone, UI_SET_MSCBIT, MSC_SCAN);
  ioctl(clone, UI_SET_PHYS, "relay/clone");
  struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 1, .product = 2}, .name = "Relay"};
  need(ioctl(clone, UI_DEV_SETUP, &setup) == 0 && ioctl(clone, UI_DEV_CREATE) == 0, "clone");
  struct input_event events[64];
  for (;;) {
    ssize_t count = read(node, events, sizeof events);
    if (count <= 0 || write(clone, events, (size_t)count) < 0) exit(0);
  }
}

int main(int count, char **words) {
  if (count < 3) return 2;
  int node = open(words[2], O_RDONLY);
  need(node >= 0, words[2]);
  need(ioctl(node, EVIOCGRAB, 1) == 0, "grab");
  if (strcmp(words[1], "socket") == 0 && count == 4) to_socket(node, words[3]);
  if (strcmp(words[1], "clone") == 0) to_clone(node);
  return 2;
}

// Prints one page command a line. Build: cc -o subscribe subscribe.c    Usage: subscribe [background|observer]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int try_path(const char *folder, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
  if (connection >= 0) close(connection);
  return -1;
}

// The first socket that accepts, in the order that every client uses.
static int connect_to_pagerd(void) {
  const char *named = getenv("PAGERD_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
  int connection = -1;
  if (named && *named) connection = try_path(named, "");
  if (connection < 0 && runtime && *runtime) connection = try_path(runtime, "/pagerd.sock");
  if (connection < 0) connection = try_path("/run/pagerd/pagerd.sock", "");
  return connection;
}

static void say(int connection, const char *line) {
  // MSG_NOSIGNAL: a daemon that went away is an error here and no SIGPIPE.
  if (send(connection, line, strlen(line), MSG_NOSIGNAL) < 0) exit(1);
}

int main(int count, char **arguments) {
  int connection = connect_to_pagerd();
  if (connection < 0) {
    fprintf(stderr, "subscribe: no pagerd socket; is pagerd running?\n");
    return 1;
  }
  char line[4098];
  snprintf(line, sizeof line, "{\"type\":\"subscribe\",\"client\":\"subscribe.c\",\"role\":\"%s\"}\n",
           count > 1 ? arguments[1] : "background");
  say(connection, line);

  // A line has at most 4096 bytes. A real application uses a JSON parser; for these three types a search is enough,
  // since pagerd writes no blanks and quotes every quotation mark inside of a name.
  FILE *lines = fdopen(connection, "r");
  while (lines && fgets(line, sizeof line, lines)) {
    static const char key[] = "\"command\":\"";
    char *command = strstr(line, key);
    if (strstr(line, "\"type\":\"ping\"")) {
      say(connection, "{\"type\":\"pong\"}\n");
    } else if (strstr(line, "\"type\":\"command\"") && command) {
      command += sizeof key - 1;
      printf("%.*s\n", (int)strcspn(command, "\""), command);
      fflush(stdout);
    }
  }
  return 0;
}

// Gives a terminal back whatever happens: the part that must run inside a signal handler.
#pragma once
#include <stddef.h>
#include <termios.h>

// From now on a crash signal (SEGV, BUS, ILL, TRAP, ABRT, FPE) and exit() write `bytes` (at most 256) to `fd` and
// set `saved` before they take their course. Returns 0, or the errno of the first call that failed.
int clinux_terminal_guard(int fd, const struct termios *saved, const char *bytes, size_t length);

// Replaces the bytes that give the terminal back, e.g. when another mode has been switched on.
void clinux_terminal_guard_bytes(const char *bytes, size_t length);

// Gives the terminal back now, once; async-signal-safe. Does nothing when no terminal is guarded.
void clinux_terminal_restore(void);

// Stops this process (or its whole group) as the terminal's Ctrl-Z would and returns when it continues; returns at
// once where nobody could continue it (an orphaned process group).
void clinux_terminal_stop(int whole_group);

// Columns, rows and pixels of the window. Returns 0, or errno; pixels are 0 where the terminal does not say.
int clinux_terminal_size(int fd, int *columns, int *rows, int *width, int *height);

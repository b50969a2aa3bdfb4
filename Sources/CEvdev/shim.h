// libevdev, and the request numbers and function-like macros of evdev and uinput that Swift cannot import.
// The calls themselves go through the seam in CLinux.
#pragma once
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <string.h>

// MARK: evdev requests

// Takes 1 or 0 by value.
static inline unsigned long ev_request_grab(void) { return EVIOCGRAB; }
static inline unsigned long ev_request_set_clock(void) { return EVIOCSCLOCKID; }
// Also drops the key events that are still queued for this descriptor.
static inline unsigned long ev_request_keys(unsigned long length) { return EVIOCGKEY(length); }
static inline unsigned long ev_request_switches(unsigned long length) { return EVIOCGSW(length); }
static inline unsigned long ev_request_leds(unsigned long length) { return EVIOCGLED(length); }
static inline unsigned long ev_request_axis(unsigned int axis) { return EVIOCGABS(axis); }
// { code, value per slot ... }
static inline unsigned long ev_request_slots(unsigned long length) { return EVIOCGMTSLOTS(length); }
// { delay, period } in milliseconds.
static inline unsigned long ev_request_repeat_times(void) { return EVIOCGREP; }
static inline unsigned long ev_request_upload_effect(void) { return EVIOCSFF; }
// Takes the effect's number by value.
static inline unsigned long ev_request_erase_effect(void) { return EVIOCRMFF; }
static inline unsigned long ev_request_effect_count(void) { return EVIOCGEFFECTS; }
// Takes a struct input_mask; see ev_mask_types.
static inline unsigned long ev_request_set_mask(void) { return EVIOCSMASK; }
static inline unsigned long ev_request_phys(unsigned long length) { return EVIOCGPHYS(length); }

// The mask of the event types that a descriptor shows, one bit each; the ends of frames always pass. It points to `types`.
static inline struct input_mask ev_mask_types(const uint64_t *types) {
  struct input_mask mask = {.type = EV_SYN, .codes_size = sizeof *types, .codes_ptr = (uint64_t)(uintptr_t)types};
  return mask;
}

// MARK: uinput requests

static inline unsigned long ui_request_set_phys(void) { return UI_SET_PHYS; }
static inline unsigned long ui_request_set_event_type(void) { return UI_SET_EVBIT; }
static inline unsigned long ui_request_set_key(void) { return UI_SET_KEYBIT; }
static inline unsigned long ui_request_set_misc(void) { return UI_SET_MSCBIT; }
static inline unsigned long ui_request_setup(void) { return UI_DEV_SETUP; }
static inline unsigned long ui_request_create(void) { return UI_DEV_CREATE; }
static inline unsigned long ui_request_sysname(unsigned long length) { return UI_GET_SYSNAME(length); }
static inline unsigned long ui_request_destroy(void) { return UI_DEV_DESTROY; }
static inline unsigned long ui_request_begin_upload(void) { return UI_BEGIN_FF_UPLOAD; }
static inline unsigned long ui_request_end_upload(void) { return UI_END_FF_UPLOAD; }
static inline unsigned long ui_request_begin_erase(void) { return UI_BEGIN_FF_ERASE; }
static inline unsigned long ui_request_end_erase(void) { return UI_END_FF_ERASE; }

static inline struct uinput_setup ui_setup(
    const char *name, unsigned short bus, unsigned short vendor, unsigned short product, unsigned short version) {
  struct uinput_setup setup;
  memset(&setup, 0, sizeof setup);
  setup.id.bustype = bus;
  setup.id.vendor = vendor;
  setup.id.product = product;
  setup.id.version = version;
  strncpy(setup.name, name, UINPUT_MAX_NAME_SIZE - 1);
  return setup;
}

// MARK: the time of an event, which hides behind macros

static inline struct input_event ev_event(unsigned short type, unsigned short code, int value) {
  struct input_event event;
  memset(&event, 0, sizeof event);
  event.type = type;
  event.code = code;
  event.value = value;
  return event;
}

// Microseconds.
static inline unsigned long long ev_event_time(const struct input_event *event) {
  return (unsigned long long)event->input_event_sec * 1000000ULL + (unsigned long long)event->input_event_usec;
}

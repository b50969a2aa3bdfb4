#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>

// GObject's macros and casts, which Swift cannot import.
static inline void pixbuf_unref(GdkPixbuf *pixbuf) { g_object_unref(pixbuf); }
static inline void pixbuf_loader_unref(GdkPixbufLoader *loader) { g_object_unref(loader); }

// Calls `prepared` with the image's natural size once it is known, before anything is decoded.
static inline void pixbuf_loader_on_size(GdkPixbufLoader *loader,
                                         void (*prepared)(GdkPixbufLoader *, int, int, void *), void *context) {
  g_signal_connect(loader, "size-prepared", G_CALLBACK(prepared), context);
}

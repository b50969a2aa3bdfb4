// libudev, and inotify's event layout.
#pragma once
#include <libudev.h>
#include <sys/inotify.h>

#pragma once
#include <stdlib.h>
#include <fribidi.h>
#include <linebreak.h>
#include <linebreakdef.h>

#pragma once
#include <stdlib.h>
#include <fribidi.h>
#include <hyphen.h>
#include <linebreak.h>
#include <linebreakdef.h>

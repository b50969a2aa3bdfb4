#pragma once
#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlreader.h>

// errno is a macro, and iconv reports an invalid sequence by it alone.
static inline int cxml_errno(void) { return errno; }

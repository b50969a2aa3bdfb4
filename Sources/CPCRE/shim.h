#pragma once
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// Its functions are macros that add the width to the name; Swift cannot import those.
static inline pcre2_code_8 *pcre_compile(const uint8_t *pattern, size_t length, uint32_t options, int *error,
                                         size_t *offset) {
  return pcre2_compile_8(pattern, length, options, error, offset, NULL);
}
static inline int pcre_error_text(int error, uint8_t *buffer, size_t length) {
  return pcre2_get_error_message_8(error, buffer, length);
}
static const size_t PCRE_UNSET = PCRE2_UNSET;
static const uint32_t PCRE_FLAGS = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
static const uint32_t PCRE_CASELESS = PCRE2_CASELESS;
static const uint32_t PCRE_NOT_EMPTY = PCRE2_NOTEMPTY;
static const int PCRE_NO_MATCH = PCRE2_ERROR_NOMATCH;

// ASCII rules that HTTP and the settings share.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "rom.h"

namespace hearth {

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Whether the first `size` bytes of `text` equal all of `word` (lower case), ignoring case.
inline bool equal_fold(const char* text, size_t size, const char* word) {
  size_t i = 0;
  for (; i < size && text_byte(word + i) != 0; i++) {
    if (lower(text[i]) != text_byte(word + i)) return false;
  }
  return i == size && text_byte(word + i) == 0;
}

/// Whether a text begins with `word` (lower case), ignoring case.
inline bool begins_fold(const char* text, const char* word) {
  for (; text_byte(word) != 0; text++, word++) {
    if (lower(*text) != text_byte(word)) return false;
  }
  return true;
}

/// Parses decimal digits with a value of at most `limit`.
inline bool parse_uint(const char* text, size_t size, uint32_t limit, uint32_t* value) {
  if (size == 0) return false;
  uint32_t result = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    const uint32_t digit = static_cast<uint32_t>(text[i] - '0');
    if (result > (limit - digit) / 10) return false;
    result = result * 10 + digit;
  }
  *value = result;
  return true;
}

inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace hearth

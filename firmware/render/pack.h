// A pack of vectors, each with its kind (one letter), the length of its text (32 bits, low byte first) and the text.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

struct Vector {
  char kind;
  const char* text;
  size_t size;
};

/// Reads the next vector and moves `at` past it; returns false at the end or if the pack is damaged (`at` is then not
/// `end`).
inline bool next_vector(const uint8_t** at, const uint8_t* end, Vector* vector) {
  const uint8_t* bytes = *at;
  if (end - bytes < 5) return false;
  const size_t size = bytes[1] | static_cast<size_t>(bytes[2]) << 8 | static_cast<size_t>(bytes[3]) << 16 |
                      static_cast<size_t>(bytes[4]) << 24;
  if (static_cast<size_t>(end - bytes) - 5 < size) return false;
  *vector = {static_cast<char>(bytes[0]), reinterpret_cast<const char*>(bytes + 5), size};
  *at = bytes + 5 + size;
  return true;
}

}  // namespace hearth

// Shared by the fuzz targets: an input that determines how it is split, and an abort if two ways of splitting differ.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <string>

namespace fuzz {

/// Reads the way of splitting from the first bytes of the input; the rest is the text.
struct Input {
  Input(const uint8_t* data, size_t size)
      : kind(size > 0 ? data[0] : 0),
        seed(size > 1 ? data[1] : 0),
        text(size > 2 ? reinterpret_cast<const char*>(data) + 2 : "", size > 2 ? size - 2 : 0) {}
  /// Calls `take(bytes, n)` for pieces of varying length until it returns false.
  template <typename Take>
  void pieces(Take take) const {
    uint32_t state = seed * 2654435761u + 1;
    for (size_t at = 0; at < text.size();) {
      state = state * 1664525u + 1013904223u;
      size_t size = seed == 0 ? 1 : 1 + (state >> 16) % 40;
      if (size > text.size() - at) size = text.size() - at;
      if (!take(reinterpret_cast<const uint8_t*>(text.data()) + at, size)) return;
      at += size;
    }
  }
  uint8_t kind, seed;
  std::string text;
};

inline void must(bool good) {
  if (!good) __builtin_trap();
}

}  // namespace fuzz

// Feeds a text whole, byte by byte and in random pieces; a parser must return the same result each time.
#pragma once
#include <string>
#include <vector>

namespace chunks {

/// Ways to cut `size` bytes: whole, single bytes, and random pieces from a fixed seed.
inline std::vector<std::vector<size_t>> cuts(size_t size) {
  std::vector<std::vector<size_t>> all{{size}, std::vector<size_t>(size, 1)};
  uint32_t seed = 12345;
  for (int round = 0; round < 6; round++) {
    std::vector<size_t> pieces;
    for (size_t left = size; left > 0;) {
      seed = seed * 1664525u + 1013904223u;
      const size_t piece = 1 + (seed >> 16) % (round < 3 ? 7 : 61);
      pieces.push_back(piece < left ? piece : left);
      left -= pieces.back();
    }
    all.push_back(pieces);
  }
  return all;
}

/// Calls `run(pieces)` for each way and returns the first result; `same` is whether all were equal.
template <typename Run>
std::string every_way(const std::string& text, bool* same, Run run) {
  std::string first;
  *same = true;
  bool begun = false;
  for (const auto& cut : cuts(text.size())) {
    std::vector<std::string> pieces;
    size_t at = 0;
    for (size_t size : cut) {
      pieces.push_back(text.substr(at, size));
      at += size;
    }
    const std::string result = run(pieces);
    if (!begun) first = result;
    begun = true;
    if (result != first) *same = false;
  }
  return first;
}

}  // namespace chunks

// A screenshot, row by row: runs of equal pixels.
#pragma once
#include "port.h"

namespace hearth {

constexpr uint16_t kShotWidth = 240;
constexpr uint16_t kShotHeight = 240;

/// Runs of equal pixels: count (1..255), color low byte, high byte.
inline void write_runs(const uint16_t* pixels, ByteSink& out) {
  for (uint16_t at = 0; at < kShotWidth;) {
    uint8_t count = 1;
    while (at + count < kShotWidth && count < 255 && pixels[at + count] == pixels[at]) count++;
    const uint8_t run[3] = {count, static_cast<uint8_t>(pixels[at]), static_cast<uint8_t>(pixels[at] >> 8)};
    out.write(run, sizeof run);
    at = static_cast<uint16_t>(at + count);
  }
}

}  // namespace hearth

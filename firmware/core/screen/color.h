// Colors of the screens as RGB565, and how they are mixed.
#pragma once
#include <stdint.h>

namespace hearth {

using Color = uint16_t;

constexpr Color rgb(uint32_t value) {
  return static_cast<Color>(((value >> 8) & 0xf800) | ((value >> 5) & 0x07e0) | ((value >> 3) & 0x001f));
}

namespace palette {
constexpr Color kBlack = rgb(0x000000);
constexpr Color kWhite = rgb(0xffffff);
constexpr Color kText = rgb(0xe8ecf4);   ///< second to white
constexpr Color kQuiet = rgb(0x98a2b8);  ///< labels
constexpr Color kFaint = rgb(0x343c4c);  ///< lines and resting marks
constexpr Color kPanel = rgb(0x161b26);  ///< raised areas
constexpr Color kGreen = rgb(0x2fd67b);
constexpr Color kRed = rgb(0xff5c5c);
constexpr Color kAmber = rgb(0xffb638);
constexpr Color kBlue = rgb(0x5aa9ff);
}  // namespace palette

/// Mixes `part` of 32 of `over` onto `under`.
constexpr Color mix(Color under, Color over, unsigned part) {
  const unsigned rest = 32 - part;
  const unsigned red = ((under >> 11) * rest + (over >> 11) * part + 16) >> 5;
  const unsigned green = (((under >> 5) & 63u) * rest + ((over >> 5) & 63u) * part + 16) >> 5;
  const unsigned blue = ((under & 31u) * rest + (over & 31u) * part + 16) >> 5;
  return static_cast<Color>((red << 11) | (green << 5) | blue);
}

}  // namespace hearth

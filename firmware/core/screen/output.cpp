#include "screen/output.h"

#include <string.h>

namespace hearth {
namespace {

unsigned gained(unsigned value, unsigned percent, unsigned most) {
  const unsigned result = (value * percent + 50) / 100;
  return result > most ? most : result;
}

}  // namespace

Output Output::for_panel(const DisplaySettings& settings) {
  Output output;
  output.red_gain_ = settings.red_gain;
  output.green_gain_ = settings.green_gain;
  output.blue_gain_ = settings.blue_gain;
  output.swapped_ = settings.color_order == ColorOrder::Bgr;
  output.inverted_ = settings.invert;
  return output;
}

Output Output::for_eyes(uint8_t brightness) {
  Output output;
  uint8_t seen = 0;  // perceived brightness is about the square root of the light
  while (seen < 100 && seen * seen < brightness * 100) ++seen;
  output.red_gain_ = output.green_gain_ = output.blue_gain_ = seen;
  return output;
}

bool Output::operator==(const Output& other) const {
  return memcmp(this, &other, sizeof other) == 0;
}  // five bytes without a gap

void Output::convert(uint16_t* pixels, size_t count) const {
  for (size_t k = 0; k < count; ++k) {
    const unsigned pixel = pixels[k];
    unsigned red = gained(pixel >> 11, red_gain_, 31);
    const unsigned green = gained((pixel >> 5) & 63, green_gain_, 63);
    unsigned blue = gained(pixel & 31, blue_gain_, 31);
    if (swapped_) {
      const unsigned first = red;
      red = blue;
      blue = first;
    }
    const unsigned result = (red << 11) | (green << 5) | blue;
    pixels[k] = static_cast<uint16_t>(inverted_ ? ~result : result);
  }
}

}  // namespace hearth

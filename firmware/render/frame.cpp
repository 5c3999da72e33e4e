#include "render/frame.h"

namespace hearth {

void Frame::window(uint16_t x, uint16_t y, uint16_t width, uint16_t) {
  x_ = x;
  y_ = y;
  width_ = width;
  at_ = 0;
}

void Frame::push(const uint16_t* pixels, size_t count) {
  for (size_t k = 0; k < count; ++k, ++at_) {
    const int x = x_ + static_cast<int>(at_) % width_, y = y_ + static_cast<int>(at_) / width_;
    if (x < kSide && y < kSide) pixels_[y * kSide + x] = pixels[k];
  }
  pushed_ += static_cast<uint32_t>(count);
}

uint32_t Frame::crc() const {
  uint32_t crc = 0xffffffff;
  for (uint16_t pixel : pixels_) {
    for (int half = 0; half < 2; ++half) {
      crc ^= (pixel >> (8 * half)) & 0xffu;
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
    }
  }
  return ~crc;
}

void Frame::rgba(uint8_t* bytes) const {
  for (uint16_t pixel : pixels_) {
    const unsigned red = pixel >> 11, green = (pixel >> 5) & 63u, blue = pixel & 31u;
    *bytes++ = static_cast<uint8_t>(red << 3 | red >> 2);
    *bytes++ = static_cast<uint8_t>(green << 2 | green >> 4);
    *bytes++ = static_cast<uint8_t>(blue << 3 | blue >> 2);
    *bytes++ = 255;
  }
}

}  // namespace hearth

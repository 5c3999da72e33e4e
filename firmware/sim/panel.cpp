#include "panel.h"

#include <png.h>
#include <string.h>

namespace sim {

void Glass::window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) {
  x_ = x;
  y_ = y;
  width_ = width;
  height_ = height;
  at_ = 0;
}

void Glass::push(const uint16_t* pixels, size_t count) {
  for (size_t i = 0; i < count && at_ < width_ * height_; ++i, ++at_) {
    const size_t x = x_ + at_ % width_;
    const size_t y = y_ + at_ / width_;
    if (x < kSide && y < kSide) pixels_[y * kSide + x] = pixels[i];
  }
  ++revision_;
}

std::string Glass::png() const {
  std::vector<uint8_t> rgb;
  rgb.reserve(pixels_.size() * 3);
  for (const uint16_t pixel : pixels_) {
    const unsigned red = pixel >> 11, green = (pixel >> 5) & 63, blue = pixel & 31;
    rgb.push_back(static_cast<uint8_t>(red << 3 | red >> 2));
    rgb.push_back(static_cast<uint8_t>(green << 2 | green >> 4));
    rgb.push_back(static_cast<uint8_t>(blue << 3 | blue >> 2));
  }
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = image.height = kSide;
  image.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0) return {};
  bytes.resize(size);
  return bytes;
}

}  // namespace sim

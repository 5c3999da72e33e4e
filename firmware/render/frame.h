// A panel in memory, for images, previews and the simulator.
#pragma once
#include "port.h"
#include "screen/canvas.h"

namespace hearth {

class Frame final : public Panel {
 public:
  void configure(const PanelSetup&) override {}
  void window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) override;
  void push(const uint16_t* pixels, size_t count) override;
  void backlight(uint8_t) override {}
  bool has_light() override { return false; }
  uint8_t light() override { return 0; }
  /// Number of pixels pushed since the frame was made.
  uint32_t pushed() const { return pushed_; }
  /// CRC-32 of the pixels, two bytes each, low byte first.
  uint32_t crc() const;
  /// Red, green, blue, 255 of each pixel.
  void rgba(uint8_t* bytes) const;
  const uint16_t* pixels() const { return pixels_; }

 private:
  uint16_t pixels_[kSide * kSide] = {};
  int x_ = 0, y_ = 0, width_ = kSide;
  uint32_t at_ = 0, pushed_ = 0;
};

}  // namespace hearth

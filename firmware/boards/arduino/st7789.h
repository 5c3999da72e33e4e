// The panel of all boards: ST7789, 240 x 240 glass on a controller for 240 x 320, SPI mode 3, colors inverted by its
// IPS glass.
#pragma once
#include "board.h"

namespace board {

class St7789 final : public hearth::Panel {
 public:
  void start();
  /// Rotation and colors are already applied; only the polarity of the backlight matters here.
  void configure(const hearth::PanelSetup& setup) override;
  void window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) override;
  void push(const uint16_t* pixels, size_t count) override;
  void backlight(uint8_t percent) override;
  bool has_light() override;
  uint8_t light() override;

 private:
  void command(uint8_t code, const uint8_t* data, size_t size);
  void select(bool on);
  bool backlight_inverted_ = true;
  uint8_t percent_ = 0;
};

}  // namespace board

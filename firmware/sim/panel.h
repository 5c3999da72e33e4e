// The panel: finished pixels with rotation and colors applied (core/screen/output.h).
#pragma once
#include <string>
#include <vector>

#include "port.h"

namespace sim {

constexpr size_t kSide = 240;

class Glass final : public hearth::Panel {
 public:
  Glass() : pixels_(kSide * kSide, 0) {}
  void configure(const hearth::PanelSetup&) override {}
  void window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) override;
  void push(const uint16_t* pixels, size_t count) override;
  void backlight(uint8_t percent) override { backlight_ = percent; }
  bool has_light() override { return false; }
  uint8_t light() override { return 0; }

  const std::vector<uint16_t>& pixels() const { return pixels_; }
  uint8_t backlight() const { return backlight_; }
  /// Changes with every change of the image.
  uint32_t revision() const { return revision_; }
  std::string png() const;

 private:
  std::vector<uint16_t> pixels_;  ///< RGB565
  size_t x_ = 0, y_ = 0, width_ = 0, height_ = 0, at_ = 0;
  uint8_t backlight_ = 0;
  uint32_t revision_ = 0;
};

}  // namespace sim

// The last step before the panel: applies the color settings to finished pixels.
#pragma once
#include "app/view.h"
#include "screen/color.h"

namespace hearth {

/// Gains, color order, inversion and, for screenshots, the backlight.
class Output {
 public:
  /// For the pixels sent to the panel. `Auto` is rgb, because boards set their own order when they configure the panel.
  static Output for_panel(const DisplaySettings& settings);
  /// For pixels as people see them on a correctly configured panel, with `brightness` (0..100) applied.
  static Output for_eyes(uint8_t brightness);
  void convert(uint16_t* pixels, size_t count) const;
  bool operator==(const Output& other) const;

 private:
  uint8_t red_gain_ = 100, green_gain_ = 100, blue_gain_ = 100;  ///< percent
  bool swapped_ = false, inverted_ = false;
};

}  // namespace hearth

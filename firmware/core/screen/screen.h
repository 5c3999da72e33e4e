// Draws the changed parts of the view on the panel, in bands of at most 240 x 4 pixels.
#pragma once
#include "port.h"
#include "screen/canvas.h"
#include "screen/output.h"

namespace hearth {

class Screen {
 public:
  static constexpr int kBandPixels = kSide * 4;
  /// Draws everything that changed since the last call. Rotation and color settings are applied to the pixels, so the
  /// configuration of the panel does not change.
  void draw(const View& view, Panel& panel);
  /// Call it after the panel was reset: the next call draws everything.
  void forget() { known_ = false; }

 private:
  void draw_rect(const View& view, Panel& panel, Rect rect);
  TileMarks shown_;
  Output output_;
  uint8_t rotation_ = 0;
  bool known_ = false;
  uint32_t revision_ = 0;
  uint16_t band_[kBandPixels];
};

/// Draws rows of the upright image as people see it, for screenshots and previews. `pixels` has space for 240 * count.
void draw_rows(const View& view, const Output& output, uint16_t y, uint16_t count, uint16_t* pixels);

}  // namespace hearth

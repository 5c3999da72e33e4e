// Brings the view onto the panel, only where it changed, in bands of at most 240 x 8 pixels.
#pragma once
#include "port.h"
#include "screen/canvas.h"
#include "screen/output.h"

namespace hearth {

class Screen {
 public:
  static constexpr int kBandPixels = kSide * 8;
  /// Draws what changed since the last call. Rotation and color settings are already applied: the panel itself stays
  /// as it was set up.
  void draw(const View& view, Panel& panel);
  /// The panel was set up anew: everything is drawn next time.
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

/// Rows of the upright image as a person sees them, for screenshots and previews. `pixels` holds 240 * count.
void draw_rows(const View& view, const Output& output, uint16_t y, uint16_t count, uint16_t* pixels);

}  // namespace hearth

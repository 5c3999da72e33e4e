// Draws into a window of the 240 x 240 screen, or only records what would be drawn in each tile. A page is drawn
// identically both times, so changes are found without a frame buffer, for which no ESP8266 has enough memory.
#pragma once
#include "quote/quote.h"
#include "screen/color.h"
#include "text/font.h"

namespace hearth {

/// A part of a page with texts of its own: inlined, the texts of all parts would be on the small stack together.
#define HEARTH_OWN_FRAME __attribute__((noinline))

constexpr int kSide = 240;
constexpr int kTileWidth = 60;
constexpr int kTileHeight = 24;
constexpr int kTileColumns = kSide / kTileWidth;
constexpr int kTileRows = kSide / kTileHeight;

struct Rect {
  int x, y, width, height;
};

/// The position of a rectangle after a number of quarter turns clockwise.
Rect turned(Rect rect, unsigned turns);

/// One number per tile, which changes when something else is drawn there.
struct TileMarks {
  uint32_t marks[kTileRows * kTileColumns];
};

/// A curve in a rectangle: points in sixteenths of a pixel, the first at the left edge and the last at the right edge.
struct Curve {
  Rect area;
  Color color;
  int count;
  int16_t y16[kSparkPoints + 1];  ///< from the top of the screen
};

class Canvas {
 public:
  /// Draws into `window` of the panel; `pixels` holds width * height. `rotation` = quarter turns clockwise.
  Canvas(uint16_t* pixels, Rect window, uint8_t rotation);
  /// Only records.
  explicit Canvas(TileMarks* marks);

  void fill(Rect rect, Color color);
  /// A filled rectangle with rounded corners.
  void pill(Rect rect, int radius, Color color);
  /// `x` is the start of the pen, `baseline` the row below the letters. Returns the width in pixels.
  int text(int x, int baseline, Face face, Color color, const char* text);
  /// A triangle of the given width above `bottom`, pointing up or down.
  void arrow(int x, int bottom, int width, bool up, Color color);
  /// A line two and a half pixels thick with a glow below it.
  void curve(const Curve& curve);
  /// A dotted horizontal line.
  void dots(int x, int y, int width, Color color);

 private:
  void glyph(int left, int top, Color color, uint16_t glyph, GlyphReader* reader);
  void put(int x, int y, Color color, unsigned part);
  bool touches(int x, int y, int width, int height) const;
  void note(Rect box, const void* what, size_t size, uint32_t kind);
  uint16_t* pixels_ = nullptr;
  TileMarks* marks_ = nullptr;
  int left_ = 0, top_ = 0, right_ = kSide, bottom_ = kSide;  ///< of the window, before rotation
  int origin_ = 0, step_x_ = 0, step_y_ = 0;                 ///< index of a pixel = origin + x * step_x + y * step_y
};

}  // namespace hearth

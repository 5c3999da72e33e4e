#include "screen/canvas.h"

namespace hearth {
namespace {

constexpr unsigned kPartOfLevel[4] = {0, 11, 21, 32};

int least(int a, int b) { return a < b ? a : b; }
int most(int a, int b) { return a > b ? a : b; }

uint32_t stirred(uint32_t mark, const void* what, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(what);
  for (size_t k = 0; k < size; ++k) mark = (mark ^ bytes[k]) * 16777619u;  // FNV-1a
  return mark;
}

}  // namespace

Rect turned(Rect rect, unsigned turns) {
  for (turns &= 3; turns > 0; --turns) rect = {kSide - rect.y - rect.height, rect.x, rect.height, rect.width};
  return rect;
}

Canvas::Canvas(uint16_t* pixels, Rect window, uint8_t rotation) : pixels_(pixels) {
  const Rect own = turned(window, 4u - (rotation & 3u));
  left_ = own.x;
  top_ = own.y;
  right_ = own.x + own.width;
  bottom_ = own.y + own.height;
  int index[3];  // of the first pixel, the one to its right, the one below it
  for (int k = 0; k < 3; ++k) {
    const Rect pixel = turned({k & 1, k >> 1, 1, 1}, rotation);
    index[k] = (pixel.y - window.y) * window.width + pixel.x - window.x;
  }
  origin_ = index[0];
  step_x_ = index[1] - origin_;
  step_y_ = index[2] - origin_;
}

Canvas::Canvas(TileMarks* marks) : marks_(marks) {
  for (uint32_t& mark : marks_->marks) mark = 2166136261u;
}

bool Canvas::touches(int x, int y, int width, int height) const {
  return x < right_ && y < bottom_ && x + width > left_ && y + height > top_;
}

void Canvas::note(Rect box, const void* what, size_t size, uint32_t kind) {
  const uint32_t mark = stirred(stirred(kind, &box, sizeof box), what, size);
  const int first_row = most(0, box.y / kTileHeight),
            last_row = least(kTileRows - 1, (box.y + box.height - 1) / kTileHeight);
  const int first_column = most(0, box.x / kTileWidth),
            last_column = least(kTileColumns - 1, (box.x + box.width - 1) / kTileWidth);
  for (int row = first_row; row <= last_row; ++row) {
    for (int column = first_column; column <= last_column; ++column) {
      uint32_t& tile = marks_->marks[row * kTileColumns + column];
      tile = stirred(tile, &mark, sizeof mark);
    }
  }
}

void Canvas::put(int x, int y, Color color, unsigned part) {
  uint16_t& pixel = pixels_[origin_ + x * step_x_ + y * step_y_];
  pixel = part >= 32 ? color : mix(pixel, color, part);
}

void Canvas::fill(Rect rect, Color color) {
  if (marks_) return note(rect, &color, sizeof color, 1);
  const int x1 = least(rect.x + rect.width, right_), y1 = least(rect.y + rect.height, bottom_);
  for (int y = most(rect.y, top_); y < y1; ++y) {
    for (int x = most(rect.x, left_); x < x1; ++x) put(x, y, color, 32);
  }
}

void Canvas::pill(Rect rect, int radius, Color color) {
  const int values[2] = {radius, color};
  if (marks_) return note(rect, values, sizeof values, 2);
  if (!touches(rect.x, rect.y, rect.width, rect.height)) return;
  const int x1 = least(rect.x + rect.width, right_), y1 = least(rect.y + rect.height, bottom_);
  for (int y = most(rect.y, top_); y < y1; ++y) {
    const int from_top = y - rect.y, from_bottom = rect.y + rect.height - 1 - y;
    const int dy = radius - least(from_top, from_bottom);
    for (int x = most(rect.x, left_); x < x1; ++x) {
      const int dx = radius - least(x - rect.x, rect.x + rect.width - 1 - x);
      if (dx <= 0 || dy <= 0) {
        put(x, y, color, 32);
        continue;
      }
      unsigned inside = 0;  // of 16 samples of the corner's pixel
      for (int s = 0; s < 16; ++s) {
        const int sx = dx * 8 - 7 + (s & 3) * 2, sy = dy * 8 - 7 + (s >> 2) * 2;
        if (sx * sx + sy * sy <= radius * radius * 64) ++inside;
      }
      put(x, y, color, inside * 2);
    }
  }
}

int Canvas::text(int x, int baseline, Face face, Color color, const char* text) {
  const int line = line_height(face);  // no glyph extends a line above the baseline or half a line below it
  GlyphWalk walk(face, text);
  PlacedGlyph placed;
  while (walk.next(&placed)) {
    const int pen = x + ((placed.pen + 2) >> 2);
    if (!marks_ && !touches(pen - line, baseline - line, 3 * line, line + line / 2)) continue;
    GlyphReader reader(placed.glyph);
    glyph(pen + reader.left(), baseline + reader.top() - placed.raise, color, placed.glyph, &reader);
  }
  return (walk.pen() + 3) >> 2;
}

void Canvas::glyph(int left, int top, Color color, uint16_t glyph, GlyphReader* reader) {
  const int width = reader->width(), height = reader->height();
  if (width == 0) return;
  if (marks_) {
    const uint16_t values[2] = {color, glyph};
    return note({left, top, width, height}, values, sizeof values, 3);
  }
  if (!touches(left, top, width, height)) return;
  const int last = least(bottom_, top + height), end = least(right_ - left, width);
  for (int y = top; y < last; ++y) {
    const uint8_t* levels = reader->next_row();
    if (y < top_) continue;
    for (int k = most(0, left_ - left); k < end; ++k) {
      if (levels[k]) put(left + k, y, color, kPartOfLevel[levels[k]]);
    }
  }
}

void Canvas::arrow(int x, int bottom, int width, bool up, Color color) {
  const int height = (width * 7 + 4) / 8;
  const Rect box = {x, bottom - height, width, height};
  const int values[2] = {up, color};
  if (marks_) return note(box, values, sizeof values, 4);
  for (int y = most(box.y, top_); y < least(bottom, bottom_); ++y) {
    for (int px = most(x, left_); px < least(x + width, right_); ++px) {
      unsigned inside = 0;
      for (int s = 0; s < 16; ++s) {
        const int sx = (px - x) * 8 + (s & 3) * 2 + 1 - width * 4;  // eighths from the middle
        const int from_top = (y - box.y) * 8 + (s >> 2) * 2 + 1;
        const int reach = up ? from_top : height * 8 - from_top;  // from the tip
        if ((sx < 0 ? -sx : sx) * height * 2 <= reach * width) ++inside;
      }
      put(px, y, color, inside * 2);
    }
  }
}

void Canvas::dots(int x, int y, int width, Color color) {
  for (const int end = x + width; x < end; x += 4) fill({x, y, 2, 1}, color);
}

}  // namespace hearth

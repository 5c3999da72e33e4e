// The chart's line: distance to the polyline in sixteenths of a pixel, so that it is smooth, and the glow below it.
#include "screen/canvas.h"

namespace hearth {
namespace {

constexpr int kHalfThickness16 = 20;  // 1.25 px
constexpr int kReach16 = kHalfThickness16 + 8;
constexpr int kMostNear = 6;       // segments that a column of a chart 200 px wide and 61 points long can touch: 4
constexpr unsigned kGlowTop = 13;  // of 32 at the line, none at the area's bottom

/// Thresholds of ordered dithering, 0..15, because RGB565 alone shows steps in a gradient.
constexpr uint8_t kDither[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};

int32_t root(uint32_t value) {
  uint32_t result = 0;
  for (uint32_t bit = 1u << 30; bit; bit >>= 2) {
    if (value >= result + bit) {
      value -= result + bit;
      result = (result >> 1) + bit;
    } else {
      result >>= 1;
    }
  }
  return static_cast<int32_t>(result);
}

struct Segment {
  int32_t x0, y0, dx, dy, length;
};

Segment segment(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  Segment s = {x0, y0, x1 - x0, y1 - y0, 0};
  s.length = root(static_cast<uint32_t>(s.dx * s.dx + s.dy * s.dy));
  if (s.length == 0) s.length = 1;
  return s;
}

int32_t absolute(int32_t value) { return value < 0 ? -value : value; }

/// Distance of a point to a segment, all in sixteenths of a pixel.
int32_t distance(const Segment& s, int32_t x, int32_t y) {
  const int32_t px = x - s.x0, py = y - s.y0;
  const int32_t along = px * s.dx + py * s.dy;
  const int32_t square = s.dx * s.dx + s.dy * s.dy;
  if (along > 0 && along < square) return absolute(px * s.dy - py * s.dx) / s.length;
  const int32_t ex = along <= 0 ? px : px - s.dx, ey = along <= 0 ? py : py - s.dy;
  if (absolute(ex) > kReach16 || absolute(ey) > kReach16) return kReach16;
  return root(static_cast<uint32_t>(ex * ex + ey * ey));
}

}  // namespace

void Canvas::curve(const Curve& c) {
  if (marks_) {
    const uint32_t kind = 6u + (static_cast<uint32_t>(c.color) << 16) + (static_cast<uint32_t>(c.count) << 8);
    return note({c.area.x - 2, c.area.y - 2, c.area.width + 4, c.area.height + 4}, c.y16,
                sizeof c.y16[0] * static_cast<size_t>(c.count), kind);
  }
  if (c.count < 2 || !touches(c.area.x - 2, c.area.y - 2, c.area.width + 4, c.area.height + 4)) return;
  const int parts = c.count - 1;
  const int32_t span16 = (c.area.width - 1) * 16;
  int16_t x16[kSparkPoints + 1];
  for (int k = 0; k <= parts; ++k) x16[k] = static_cast<int16_t>(c.area.x * 16 + 8 + span16 * k / parts);
  const int bottom = c.area.y + c.area.height;
  const int first = c.area.x - 2 > left_ ? c.area.x - 2 : left_;
  const int last = c.area.x + c.area.width + 2 < right_ ? c.area.x + c.area.width + 2 : right_;
  int from = 0;  // first segment that reaches this column
  for (int x = first; x < last; ++x) {
    const int32_t at = x * 16 + 8;
    while (from + 1 < parts && x16[from + 1] < at - kReach16) ++from;
    Segment near[kMostNear];
    int count = 0;
    int32_t high = 32767, low = -32768, line = 32767;
    for (int k = from; k < parts && count < kMostNear && (k == from || x16[k] <= at + kReach16); ++k) {
      near[count++] = segment(x16[k], c.y16[k], x16[k + 1], c.y16[k + 1]);
      const int32_t a = c.y16[k], b = c.y16[k + 1];
      if (a < high) high = a;
      if (b < high) high = b;
      if (a > low) low = a;
      if (b > low) low = b;
      if (at >= x16[k] && at <= x16[k + 1])
        line = a + (b - a) * (at - x16[k]) / (near[count - 1].dx > 0 ? near[count - 1].dx : 1);
    }
    if (line < 32767) {
      const int start = (line + 8) >> 4;
      for (int y = start > top_ ? start : top_; y < bottom && y < bottom_; ++y) {
        const unsigned fine = kGlowTop * 16u * static_cast<unsigned>(bottom - y) / static_cast<unsigned>(c.area.height);
        const unsigned part = (fine + kDither[(y & 3) * 4 + (x & 3)]) >> 4;
        if (part) put(x, y, c.color, part);
      }
    }
    const int begin = (high - kReach16) >> 4, end = ((low + kReach16) >> 4) + 1;
    for (int y = begin > top_ ? begin : top_; y < end && y < bottom_; ++y) {
      int32_t nearest = kReach16;
      for (int k = 0; k < count; ++k) {
        const int32_t d = distance(near[k], at, y * 16 + 8);
        if (d < nearest) nearest = d;
      }
      if (nearest >= kReach16) continue;
      const int32_t part = (kReach16 - nearest) * 2;
      put(x, y, c.color, part > 32 ? 32u : static_cast<unsigned>(part));
    }
  }
}

}  // namespace hearth

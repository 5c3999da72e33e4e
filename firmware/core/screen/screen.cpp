#include "screen/screen.h"

#include "screen/pages.h"

namespace hearth {
void Screen::draw(const View& view, Panel& panel) {
  const Output output = Output::for_panel(view.settings->display);
  const bool all = !known_ || !(output == output_) || rotation_ != view.settings->rotation;
  if (!all && revision_ == view.revision) return;
  TileMarks marks;
  Canvas notes(&marks);
  draw_page(notes, view);
  output_ = output;
  rotation_ = view.settings->rotation;
  revision_ = view.revision;
  bool dirty[kTileRows * kTileColumns];
  for (int k = 0; k < kTileRows * kTileColumns; ++k) dirty[k] = all || marks.marks[k] != shown_.marks[k];
  for (int row = 0; row < kTileRows; ++row) {
    for (int column = 0; column < kTileColumns; ++column) {
      if (!dirty[row * kTileColumns + column]) continue;
      int end = column;
      while (end < kTileColumns && dirty[row * kTileColumns + end]) ++end;
      int rows = 1;  // rows below that change in the same columns are included
      for (bool same = true; row + rows < kTileRows; ++rows) {
        for (int k = column; k < end; ++k) same = same && dirty[(row + rows) * kTileColumns + k];
        if (!same) break;
      }
      for (int r = row; r < row + rows; ++r) {
        for (int k = column; k < end; ++k) dirty[r * kTileColumns + k] = false;
      }
      draw_rect(view, panel, {column * kTileWidth, row * kTileHeight, (end - column) * kTileWidth, rows * kTileHeight});
    }
  }
  shown_ = marks;
  known_ = true;
}

void Screen::draw_rect(const View& view, Panel& panel, Rect rect) {
  const Rect area = turned(rect, rotation_);
  panel.window(static_cast<uint16_t>(area.x), static_cast<uint16_t>(area.y), static_cast<uint16_t>(area.width),
               static_cast<uint16_t>(area.height));
  const int rows = kBandPixels / area.width;
  for (int y = 0; y < area.height; y += rows) {
    const int count = area.height - y < rows ? area.height - y : rows;
    Canvas canvas(band_, {area.x, area.y + y, area.width, count}, rotation_);
    draw_page(canvas, view);
    const size_t pixels = static_cast<size_t>(area.width * count);
    output_.convert(band_, pixels);
    panel.push(band_, pixels);
  }
}

void draw_rows(const View& view, const Output& output, uint16_t y, uint16_t count, uint16_t* pixels) {
  Canvas canvas(pixels, {0, y, kSide, count}, 0);
  draw_page(canvas, view);
  output.convert(pixels, static_cast<size_t>(kSide) * count);
}

}  // namespace hearth

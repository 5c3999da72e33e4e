#include "screen/layout.h"

#include "text/format.h"

namespace hearth {

Face fitting_face(const char* text, int width, const Face* faces, int count) {
  for (int k = 0; k < count; ++k) {
    if (text_width(faces[k], text) <= width) return faces[k];
  }
  return faces[count - 1];
}

int text_cut(Canvas& canvas, int x, int baseline, int width, Face face, Color color, const char* text) {
  if (text_width(face, text) <= width) return canvas.text(x, baseline, face, color, text);
  TextBuilder kept;
  kept.add(text);
  do {
    if (!kept.shorten()) return 0;
  } while (text_width(face, kept.text()) + text_width(face, "…") > width);
  while (kept.size() > 0 && kept.text()[kept.size() - 1] == ' ') kept.shorten();
  kept.add("…");
  return canvas.text(x, baseline, face, color, kept.text());
}

void text_right(Canvas& canvas, int right, int baseline, Face face, Color color, const char* text) {
  canvas.text(right - text_width(face, text), baseline, face, color, text);
}

void text_pair(Canvas& canvas, int baseline, Face face, Color left_color, const char* left, Color right_color,
               const char* right) {
  constexpr int kGap = 8;
  text_right(canvas, kRight, baseline, face, right_color, right);
  text_cut(canvas, kEdge, baseline, kInside - kGap - text_width(face, right), face, left_color, left);
}

void text_centred(Canvas& canvas, int baseline, Face face, Color color, const char* text) {
  text_wrapped(canvas, baseline, 1, face, color, Align::Centre, text);
}

int text_wrapped(Canvas& canvas, int baseline, int lines, Face face, Color color, Align align, const char* text) {
  for (; *text; --lines) {
    TextBuilder line;
    const char* rest = text;
    while (*rest && lines > 1) {  // one more word, as long as it fits
      const char* end = rest;
      while (*end && *end != ' ') ++end;
      TextBuilder longer;
      longer.add_bytes(text, static_cast<size_t>(end - text));
      if (rest > text && text_width(face, longer.text()) > kInside) break;
      line = longer;
      rest = *end ? end + 1 : end;
    }
    if (lines <= 1) {
      line.add(text);
      rest = "";
    }
    const int width = text_width(face, line.text());
    text_cut(canvas, align == Align::Centre && width < kInside ? (kSide - width) / 2 : kEdge, baseline, kInside, face,
             color, line.text());
    baseline += line_height(face) + 2;
    text = rest;
  }
  return baseline;
}

}  // namespace hearth

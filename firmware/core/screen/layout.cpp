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

void text_centred(Canvas& canvas, int baseline, Face face, Color color, const char* text) {
  const int width = text_width(face, text);
  if (width > kInside) text_cut(canvas, kEdge, baseline, kInside, face, color, text);
  else canvas.text((kSide - width) / 2, baseline, face, color, text);
}

int text_wrapped(Canvas& canvas, int baseline, int lines, Face face, Color color, Align align, const char* text) {
  for (int line = 1; *text; ++line) {
    TextBuilder fits;
    const char* after = text;
    TextBuilder trial;
    for (const char* at = text; line < lines;) {
      const char* end = at;
      char one[5] = {};
      while (*end && *end != ' ') {
        const char* begin = end;
        next_character(&end);
        for (int k = 0; k < 4; ++k) one[k] = begin + k < end ? begin[k] : '\0';
        trial.add(one);
      }
      if (fits.size() > 0 && text_width(face, trial.text()) > kInside) break;
      fits = trial;
      while (*end == ' ') ++end;
      after = end;
      if (*end == 0) break;
      trial.add(" ");
      at = end;
    }
    if (line >= lines) {
      fits.add(text);
      after = "";
    }
    if (align == Align::Centre) text_centred(canvas, baseline, face, color, fits.text());
    else text_cut(canvas, kEdge, baseline, kInside, face, color, fits.text());
    baseline += line_height(face) + 2;
    text = after;
  }
  return baseline;
}

}  // namespace hearth

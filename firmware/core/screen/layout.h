// Placement of texts on a page.
#pragma once
#include "screen/canvas.h"

namespace hearth {

constexpr int kEdge = 7;  ///< free columns on either side
constexpr int kInside = kSide - 2 * kEdge;
constexpr int kRight = kSide - kEdge;

/// The largest of `faces` (largest first) in which the text is at most `width` wide; otherwise the last one.
Face fitting_face(const char* text, int width, const Face* faces, int count);

/// Draws the text, with its end replaced by "…" if it is wider than `width`. Returns the drawn width.
int text_cut(Canvas& canvas, int x, int baseline, int width, Face face, Color color, const char* text);
void text_right(Canvas& canvas, int right, int baseline, Face face, Color color, const char* text);
/// Draws one text on the left, truncated to leave room for the one on the right.
void text_pair(Canvas& canvas, int baseline, Face face, Color left_color, const char* left, Color right_color,
               const char* right);
void text_centred(Canvas& canvas, int baseline, Face face, Color color, const char* text);

enum class Align : uint8_t { Left, Centre };

/// Draws the text in at most `lines` lines, broken at spaces; returns the baseline below the last one.
int text_wrapped(Canvas& canvas, int baseline, int lines, Face face, Color color, Align align, const char* text);

}  // namespace hearth

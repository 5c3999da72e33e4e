// The tables of generated/glyphs.cpp (scripts/firmware-font.ts writes them, scripts/firmware-font/glyph-coder.ts tells
// the coding).
#pragma once
#include "rom.h"

namespace hearth::glyphs {

struct FaceMetrics {
  uint16_t first;  ///< of its glyphs in kGlyphs
  bool text;       ///< the whole alphabet; otherwise only figures
  uint8_t cap_height;
  uint8_t x_height;
  uint8_t line;  ///< from one baseline to the next
};

/// Bits 0..15 offset in kStream, 16..24 advance in quarter pixels, 25 it has pixels.
extern const uint32_t kGlyphs[];
/// A glyph is 3 bytes of box (width, height, left + 32, top + 56, six bits each) and then its coded pixels.
extern const uint32_t kStream[];
/// For each of 256 neighbourhoods the three probabilities of a zero, a byte each.
extern const uint32_t kModel[];
/// Characters behind ASCII, two a word, ascending; then come the marks.
extern const uint32_t kTextCodes[];
extern const uint32_t kFigureCodes[];
extern const uint32_t kMarkCodes[];
/// Bits 0..15 character, 16..23 its letter's glyph, 24..31 its mark, 255 = none; ascending.
extern const uint32_t kComposites[];
extern const int kTextCodeCount;
extern const int kFigureCodeCount;
extern const int kMarkCount;
extern const int kCompositeCount;
extern const int kFirstMark;
extern const FaceMetrics kFaces[];

}  // namespace hearth::glyphs

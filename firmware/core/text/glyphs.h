// The tables of generated/glyphs.cpp (written by scripts/firmware-font.ts; scripts/firmware-font/glyph-coder.ts
// describes the coding).
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

/// Bits 0..15 offset in kStream, 16..24 advance in quarter pixels, 25 whether it has pixels.
extern const uint32_t kGlyphs[];
/// Each glyph has 3 bytes for its box (width, height, left + 32, top + 60, six bits each), followed by its coded
/// pixels.
extern const uint32_t kStream[];
/// For each of 256 neighborhoods, the three probabilities of a zero, one byte each.
extern const uint32_t kModel[];
/// Characters above ASCII, two per word, ascending; followed by the marks.
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

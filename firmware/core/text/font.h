// The device's font: selects the glyphs of a text, measures its width, and provides their pixels row by row.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// Small, Medium and Large draw European text; the others only prices, percentages and times, the
/// largest one without the signs of currencies and percentages.
enum class Face : uint8_t { Small, Medium, Large, Figures33, Figures44, Figures55, Figures66, Figures77 };

int cap_height(Face face);
int line_height(Face face);

/// Returns the next character of a UTF-8 text, 0 at its end; each byte of an invalid sequence is U+FFFD.
uint32_t next_character(const char** text);

/// A glyph and its pen position in quarter pixels from the start of the text.
struct PlacedGlyph {
  uint16_t glyph;
  int16_t pen;
  int8_t raise;  ///< pixels: a mark over a capital letter
};

/// Iterates over the glyphs of a text. Letters with diacritics are two glyphs; a missing character is "?".
class GlyphWalk {
 public:
  GlyphWalk(Face face, const char* text);
  bool next(PlacedGlyph* placed);
  /// Current pen position in quarter pixels.
  int pen() const { return pen_; }
  /// Number of characters for which the face has no glyph.
  int missing() const { return missing_; }

 private:
  void place(uint32_t character);
  Face face_;
  const char* text_;
  int pen_ = 0;
  int missing_ = 0;
  uint16_t glyph_ = 0;
  int last_advance_ = 0;
  int8_t mark_ = -1;
};

/// Width in pixels, rounded up.
int text_width(Face face, const char* text);

/// Whether every character of the text can be drawn.
bool can_draw(Face face, const char* text);

/// Reads the pixels of a glyph, starting with its first row.
class GlyphReader {
 public:
  static constexpr int kMaxWidth = 63;
  explicit GlyphReader(uint16_t glyph);
  int width() const { return width_; }
  int height() const { return height_; }
  int left() const { return left_; }  ///< of the box, from the pen
  int top() const { return top_; }    ///< of the box, from the baseline, up is negative
  /// Returns the next row as `width()` levels, 0 (nothing) … 3 (full).
  const uint8_t* next_row();

 private:
  unsigned bit(unsigned probability);
  int width_ = 0, height_ = 0, left_ = 0, top_ = 0;
  size_t at_ = 0;
  uint32_t range_ = 0, code_ = 0;
  uint8_t rows_[2][kMaxWidth + 2] = {};  // one empty pixel on either side
  uint8_t current_ = 0;
};

}  // namespace hearth

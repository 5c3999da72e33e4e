#include "text/font.h"

#include "rom.h"
#include "text/glyphs.h"

namespace hearth {
namespace {

constexpr uint32_t kFirstAscii = 0x20;
constexpr uint32_t kLastAscii = 0x7e;
constexpr int kAsciiCount = kLastAscii - kFirstAscii + 1;
constexpr uint16_t kNoGlyph = 0xffff;

const glyphs::FaceMetrics& metrics(Face face) { return glyphs::kFaces[static_cast<int>(face)]; }

uint32_t code_at(const uint32_t* codes, int index) { return (codes[index / 2] >> (16 * (index % 2))) & 0xffff; }
uint32_t composite_at(const uint32_t* composites, int index) { return composites[index] & 0xffff; }
// As types: a pointer to a function would hide from the stack report where `find` goes.
struct CodeAt {
  uint32_t operator()(const uint32_t* codes, int index) const { return code_at(codes, index); }
};
struct CompositeAt {
  uint32_t operator()(const uint32_t* composites, int index) const { return composite_at(composites, index); }
};

/// Index of a character in an ascending list; -1 if it is missing.
template <typename At>
int find(At at, const uint32_t* list, int count, uint32_t character) {
  int low = 0;
  int high = count - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    const uint32_t found = at(list, middle);
    if (found == character) return middle;
    if (found < character)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int find_mark(uint32_t character) {
  for (int mark = 0; mark < glyphs::kMarkCount; ++mark) {
    if (code_at(glyphs::kMarkCodes, mark) == character) return mark;
  }
  return -1;
}

/// Spaces of different widths and similar hyphens are drawn as the one that the face has.
uint32_t simplified(uint32_t character) {
  if (character == 0xa0 || (character >= 0x2000 && character <= 0x200a) || character == 0x202f) return ' ';
  if (character == 0x2010 || character == 0x2011 || character == 0xad) return '-';
  return character;
}

/// Index of the glyph in the face; kNoGlyph if there is none.
uint16_t glyph_in_face(Face face, uint32_t character) {
  if (!metrics(face).text) {
    const int found = find(CodeAt{}, glyphs::kFigureCodes, glyphs::kFigureCodeCount, character);
    // What a face leaves out has no width.
    const bool missing = found < 0 || glyphs::kGlyphs[metrics(face).first + found] >> 16 == 0;
    return missing ? kNoGlyph : static_cast<uint16_t>(found);
  }
  if (character >= kFirstAscii && character <= kLastAscii) return static_cast<uint16_t>(character - kFirstAscii);
  const int found = find(CodeAt{}, glyphs::kTextCodes, glyphs::kTextCodeCount, character);
  return found < 0 ? kNoGlyph : static_cast<uint16_t>(kAsciiCount + found);
}

bool is_tall(int letter) {
  const int character = letter + static_cast<int>(kFirstAscii);
  return (character >= 'A' && character <= 'Z') || character == 'h' || character == 'l' || character == 'd';
}

}  // namespace

int cap_height(Face face) { return metrics(face).cap_height; }
int line_height(Face face) { return metrics(face).line; }

uint32_t next_character(const char** text) {
  const char* const at = *text;
  const uint8_t first = static_cast<uint8_t>(text_byte(at));
  if (first == 0) return 0;
  const int more = first < 0x80                    ? 0
                   : first >= 0xf0 && first < 0xf5 ? 3
                   : first >= 0xe0 && first < 0xf0 ? 2
                   : first >= 0xc2 && first < 0xe0 ? 1
                                                   : -1;
  uint32_t character = more == 0 ? first : more == 1 ? first & 0x1fu : more == 2 ? first & 0x0fu : first & 0x07u;
  for (int k = 1; k <= more; ++k) {
    const uint8_t byte = static_cast<uint8_t>(text_byte(at + k));
    if ((byte & 0xc0) != 0x80) {
      *text += 1;
      return 0xfffd;
    }
    character = (character << 6) | (byte & 0x3fu);
  }
  *text += more < 0 ? 1 : more + 1;
  return more < 0 ? 0xfffd : character;
}

GlyphWalk::GlyphWalk(Face face, const char* text) : face_(face), text_(text) {}

bool GlyphWalk::next(PlacedGlyph* placed) {
  const glyphs::FaceMetrics& face = metrics(face_);
  if (mark_ < 0) {
    for (;;) {
      const uint32_t character = simplified(next_character(&text_));
      if (character == 0) return false;
      const int mark = face.text ? find_mark(character) : -1;
      if (mark >= 0) {
        mark_ = static_cast<int8_t>(mark);
        break;
      }
      place(character);
      if (glyph_ == kNoGlyph) continue;
      const uint32_t word = glyphs::kGlyphs[face.first + glyph_];
      *placed = {static_cast<uint16_t>(face.first + glyph_), static_cast<int16_t>(pen_), 0};
      last_advance_ = static_cast<int>((word >> 16) & 0x1ff);
      pen_ += last_advance_;
      return true;
    }
  }
  const int mark = mark_;
  mark_ = -1;
  *placed = {static_cast<uint16_t>(face.first + glyphs::kFirstMark + mark),
             static_cast<int16_t>(pen_ - last_advance_ / 2),
             static_cast<int8_t>(is_tall(glyph_) ? face.cap_height - face.x_height : 0)};
  return true;
}

void GlyphWalk::place(uint32_t character) {
  glyph_ = glyph_in_face(face_, character);
  if (glyph_ != kNoGlyph) return;
  const int composite =
      metrics(face_).text ? find(CompositeAt{}, glyphs::kComposites, glyphs::kCompositeCount, character) : -1;
  if (composite >= 0) {
    const uint32_t word = glyphs::kComposites[composite];
    glyph_ = static_cast<uint16_t>((word >> 16) & 0xff);
    mark_ = static_cast<int8_t>(word >> 24);  // -1 = none
    return;
  }
  missing_ += 1;
  glyph_ = glyph_in_face(face_, '?');
}

int text_width(Face face, const char* text) {
  GlyphWalk walk(face, text);
  PlacedGlyph placed;
  while (walk.next(&placed)) {
  }
  return (walk.pen() + 3) / 4;
}

bool can_draw(Face face, const char* text) {
  GlyphWalk walk(face, text);
  PlacedGlyph placed;
  while (walk.next(&placed)) {
  }
  return walk.missing() == 0;
}

namespace {
uint8_t stream_byte(size_t at) { return rom_byte(reinterpret_cast<const uint8_t*>(glyphs::kStream), at); }
}  // namespace

GlyphReader::GlyphReader(uint16_t glyph) {
  const uint32_t word = glyphs::kGlyphs[glyph];
  if ((word >> 25 & 1) == 0) return;
  at_ = word & 0xffff;
  uint32_t box = 0;
  for (int k = 0; k < 3; ++k) box |= static_cast<uint32_t>(stream_byte(at_++)) << (8 * k);
  width_ = static_cast<int>(box & 63);
  height_ = static_cast<int>((box >> 6) & 63);
  left_ = static_cast<int>((box >> 12) & 63) - 32;
  top_ = static_cast<int>((box >> 18) & 63) - 60;
  range_ = 0xffffff;
  for (int k = 0; k < 3; ++k) code_ = (code_ << 8) | stream_byte(at_++);
}

unsigned GlyphReader::bit(unsigned probability) {
  const uint32_t bound = (range_ >> 8) * probability;
  const bool one = code_ >= bound;
  if (one) {
    code_ -= bound;
    range_ -= bound;
  } else {
    range_ = bound;
  }
  while (range_ < 0x10000) {
    code_ = (code_ << 8) | stream_byte(at_++);
    range_ <<= 8;
  }
  return one ? 1 : 0;
}

const uint8_t* GlyphReader::next_row() {
  current_ ^= 1;
  uint8_t* row = rows_[current_] + 1;
  const uint8_t* above = rows_[current_ ^ 1] + 1;
  for (int x = 0; x < width_; ++x) {
    const unsigned context = ((row[x - 1] * 4u + above[x]) * 4u + above[x + 1]) * 4u + above[x - 1];
    const uint32_t model = glyphs::kModel[context];
    const unsigned high = bit(model & 0xff);
    row[x] = static_cast<uint8_t>(high * 2 + bit((high ? model >> 16 : model >> 8) & 0xff));
  }
  return row;
}

}  // namespace hearth

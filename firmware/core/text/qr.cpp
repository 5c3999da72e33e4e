#include "text/qr.h"

#include <string.h>

namespace hearth {
namespace {

struct Version {
  uint8_t data, correction;  // codewords
};
constexpr Version kVersions[] = {{19, 7}, {34, 10}, {55, 15}, {80, 20}, {108, 26}};
constexpr size_t kMostWords = 108 + 26;
constexpr uint8_t kByteMode = 4;
constexpr uint8_t kPad[] = {0xec, 0x11};

/// Product in GF(256) with the polynomial 0x11d.
uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (int bit = 7; bit >= 0; bit--) {
    product = static_cast<uint8_t>((product << 1) ^ ((product >> 7) * 0x1d));
    if (b >> bit & 1) product = static_cast<uint8_t>(product ^ a);
  }
  return product;
}

/// Appends the remainder of the data divided by the generator (x - 1)(x - 2)(x - 4)…
void correct(uint8_t* words, const Version& version) {
  uint8_t generator[26] = {};
  generator[version.correction - 1] = 1;
  uint8_t root = 1;
  for (uint8_t i = 0; i < version.correction; i++) {
    for (uint8_t k = 0; k < version.correction; k++) {
      generator[k] = multiply(generator[k], root);
      if (k + 1 < version.correction) generator[k] = static_cast<uint8_t>(generator[k] ^ generator[k + 1]);
    }
    root = multiply(root, 2);
  }
  uint8_t* rest = words + version.data;
  memset(rest, 0, version.correction);
  for (uint8_t i = 0; i < version.data; i++) {
    const uint8_t factor = static_cast<uint8_t>(words[i] ^ rest[0]);
    memmove(rest, rest + 1, version.correction - 1u);
    rest[version.correction - 1] = 0;
    for (uint8_t k = 0; k < version.correction; k++)
      rest[k] = static_cast<uint8_t>(rest[k] ^ multiply(generator[k], factor));
  }
}

/// Mode, length, text, end and padding.
void write_data(uint8_t* words, const Version& version, const char* text, size_t size) {
  memset(words, 0, version.data);
  words[0] = static_cast<uint8_t>(kByteMode << 4 | size >> 4);
  words[1] = static_cast<uint8_t>(size << 4);
  for (size_t i = 0; i < size; i++) {
    const uint8_t byte = static_cast<uint8_t>(text[i]);
    words[i + 1] = static_cast<uint8_t>(words[i + 1] | byte >> 4);
    words[i + 2] = static_cast<uint8_t>(byte << 4);
  }
  for (size_t i = size + 2; i < version.data; i++) words[i] = kPad[(i - size) % 2];
}

void set(QrCode* code, int x, int y, bool dark) {
  const int at = y * code->modules + x;
  const uint8_t bit = static_cast<uint8_t>(1u << (at % 8));
  code->bits[at / 8] = static_cast<uint8_t>(dark ? code->bits[at / 8] | bit : code->bits[at / 8] & ~bit);
}

/// Whether a module belongs to a pattern or to the format, and not to the data.
bool is_fixed(int side, int x, int y) {
  if (x == 6 || y == 6) return true;
  if ((x < 9 && y < 9) || (x < 9 && y >= side - 8) || (x >= side - 8 && y < 9)) return true;
  const int center = side - 7;
  return side > 21 && x >= center - 2 && x <= center + 2 && y >= center - 2 && y <= center + 2;
}

int distance(int a, int b) { return a > b ? a - b : b - a; }

void draw_ring(QrCode* code, int cx, int cy, int reach) {
  for (int y = cy - reach; y <= cy + reach; y++) {
    for (int x = cx - reach; x <= cx + reach; x++) {
      if (x < 0 || y < 0 || x >= code->modules || y >= code->modules) continue;
      const int dx = distance(x, cx);
      const int dy = distance(y, cy);
      const int ring = dx > dy ? dx : dy;
      set(code, x, y, reach == 2 ? ring != 1 : ring != 2 && ring != 4);
    }
  }
}

/// Error correction L and the mask, with their own correction.
void draw_format(QrCode* code, uint8_t mask) {
  uint32_t rest = 1u << 3 | mask;
  for (int i = 0; i < 10; i++) rest = rest << 1 ^ (rest >> 9) * 0x537;
  const uint32_t bits = ((1u << 3 | mask) << 10 | rest) ^ 0x5412;
  const int side = code->modules;
  for (int i = 0; i < 15; i++) {
    const bool dark = (bits >> i & 1) != 0;
    if (i < 6) {
      set(code, 8, i, dark);
    } else if (i < 8) {
      set(code, 8, i + 1, dark);
    } else {
      set(code, i == 8 ? 7 : 14 - i, 8, dark);
    }
    if (i < 8) {
      set(code, side - 1 - i, 8, dark);
    } else {
      set(code, 8, side - 15 + i, dark);
    }
  }
  set(code, 8, side - 8, true);
}

void draw_patterns(QrCode* code) {
  const int side = code->modules;
  for (int i = 0; i < side; i++) {
    set(code, 6, i, i % 2 == 0);
    set(code, i, 6, i % 2 == 0);
  }
  draw_ring(code, 3, 3, 4);
  draw_ring(code, side - 4, 3, 4);
  draw_ring(code, 3, side - 4, 4);
  if (side > 21) draw_ring(code, side - 7, side - 7, 2);
}

/// In columns of two from the lower right, up and down, with mask 0.
void draw_data(QrCode* code, const uint8_t* words, int count) {
  const int side = code->modules;
  int bit = 0;
  bool up = true;
  for (int right = side - 1; right > 0; right -= 2) {
    if (right == 6) right--;
    for (int step = 0; step < side; step++) {
      const int y = up ? side - 1 - step : step;
      for (int x = right; x > right - 2; x--) {
        if (is_fixed(side, x, y)) continue;
        const bool dark = bit < count * 8 && (words[bit / 8] >> (7 - bit % 8) & 1) != 0;
        set(code, x, y, dark != ((x + y) % 2 == 0));
        bit++;
      }
    }
    up = !up;
  }
}

}  // namespace

bool make_qr(const char* text, size_t size, QrCode* code) {
  memset(code, 0, sizeof *code);
  uint8_t version = 0;
  while (version < 5 && size + 2 > kVersions[version].data) version++;
  if (version == 5) return false;
  uint8_t words[kMostWords];
  write_data(words, kVersions[version], text, size);
  correct(words, kVersions[version]);
  code->modules = static_cast<uint8_t>(21 + 4 * version);
  draw_patterns(code);
  draw_format(code, 0);
  draw_data(code, words, kVersions[version].data + kVersions[version].correction);
  return true;
}

}  // namespace hearth

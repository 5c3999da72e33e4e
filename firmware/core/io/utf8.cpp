#include "io/utf8.h"

namespace hearth {
namespace {

size_t character_bytes(const char* text) {
  size_t size = 1;
  while ((static_cast<uint8_t>(text[size]) & 0xc0) == 0x80) size++;
  return size;
}

}  // namespace

bool copy_text(char* to, size_t capacity, const char* from, size_t characters) {
  size_t used = 0;
  while (*from != 0) {
    const size_t size = character_bytes(from);
    if (characters == 0 || used + size + 1 > capacity) break;
    for (size_t i = 0; i < size; i++) to[used + i] = from[i];
    used += size;
    from += size;
    characters--;
  }
  to[used] = 0;
  return *from == 0;
}

size_t count_characters(const char* text) {
  size_t count = 0;
  for (; *text != 0; text++) {
    if ((static_cast<uint8_t>(*text) & 0xc0) != 0x80) count++;
  }
  return count;
}

}  // namespace hearth

// Constants in flash. The ESP8266 can read only aligned 32-bit words there. Its build puts all constants of the core
// into flash (boards/esp8266/constants_to_flash.py): large tables are marked HEARTH_ROM and read by `rom_byte`, texts
// by `text_byte` wherever many are read. For other reads of single bytes an exception handler of the Arduino core steps
// in, which takes about 3 µs.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(ESP8266)
#define HEARTH_ROM __attribute__((section(".irom.text.hearth"), aligned(4)))
#else
#define HEARTH_ROM __attribute__((aligned(4)))
#endif

namespace hearth {

/// One byte of a HEARTH_ROM table.
inline uint8_t rom_byte(const uint8_t* table, size_t index) {
#if defined(ESP8266)
  const uintptr_t address = reinterpret_cast<uintptr_t>(table) + index;
  const uint32_t word = *reinterpret_cast<const volatile uint32_t*>(address & ~static_cast<uintptr_t>(3));
  return static_cast<uint8_t>(word >> (8 * (address & 3)));
#else
  return table[index];
#endif
}

/// One byte of a text, which may be in flash.
inline char text_byte(const char* at) {
#if defined(ESP8266)
  return static_cast<char>(rom_byte(reinterpret_cast<const uint8_t*>(at), 0));
#else
  return *at;
#endif
}
inline size_t text_size(const char* text) {
  size_t size = 0;
  while (text_byte(text + size) != 0) size++;
  return size;
}
inline bool same_text(const char* a, const char* b) {
  while (text_byte(a) == text_byte(b)) {
    if (text_byte(a) == 0) return true;
    a++;
    b++;
  }
  return false;
}

}  // namespace hearth

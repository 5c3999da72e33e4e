// Large constant tables (font, settings page). The ESP8266 places ordinary constants in RAM, so its build puts tables
// marked HEARTH_ROM into flash, where only aligned 32-bit words can be read.
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

}  // namespace hearth

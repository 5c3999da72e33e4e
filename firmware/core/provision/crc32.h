// CRC-32 (IEEE 802.3, reflected), as in zlib. The library of the ESP8266 has none (docs/adr/0056).
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// Continues from `crc` (0 at the start).
inline uint32_t crc32(uint32_t crc, const void* bytes, size_t size) {
  const uint8_t* at = static_cast<const uint8_t*>(bytes);
  crc = ~crc;
  while (size-- > 0) {
    crc ^= *at++;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

}  // namespace hearth

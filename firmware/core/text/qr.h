// QR codes (ISO/IEC 18004) for short texts: bytes, error correction L, versions 1 to 5, whose codewords are one block.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

constexpr int kMostQrModules = 37;  ///< along a side, version 5
constexpr size_t kMostQrText = 106;

struct QrCode {
  uint8_t modules;  ///< along a side; 0 = none
  uint8_t bits[(kMostQrModules * kMostQrModules + 7) / 8];
  bool dark(int x, int y) const {
    const int at = y * modules + x;
    return (bits[at / 8] >> (at % 8) & 1) != 0;
  }
};

/// False, and a code without modules, if the text is too long.
bool make_qr(const char* text, size_t size, QrCode* code);

}  // namespace hearth

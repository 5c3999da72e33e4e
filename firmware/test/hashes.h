// Hashes for the tests, calculated by mbedTLS.
#pragma once
#include "device.h"

namespace device {

inline std::string md5(const std::string& text) {
  board::ChipHashes hashes;
  uint8_t digest[16];
  hashes.md5_start();
  hashes.md5_add(text.data(), text.size());
  hashes.md5_finish(digest);
  std::string hex;
  for (uint8_t byte : digest) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

inline void sha256(const std::string& text, uint8_t digest[32]) {
  board::ChipHashes hashes;
  hashes.sha256_start();
  hashes.sha256_add(text.data(), text.size());
  hashes.sha256_finish(digest);
}

}  // namespace device

// SHA-256 (FIPS 180-4), for the content of firmware updates.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

class Sha256 {
 public:
  Sha256();
  void add(const void* bytes, size_t size);
  void finish(uint8_t digest[32]);

 private:
  void block();
  uint32_t state_[8];
  uint32_t size_ = 0;
  uint8_t buffer_[64];
};

}  // namespace hearth

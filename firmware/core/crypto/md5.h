// MD5 (RFC 1321), only for HTTP digest authentication, which knows nothing better that browsers still offer.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

class Md5 {
 public:
  Md5();
  Md5& add(const void* bytes, size_t size);
  Md5& text(const char* text);
  /// 32 lower-case hex digits and NUL.
  void hex(char out[33]);

 private:
  void block(const uint8_t* bytes);
  uint32_t state_[4];
  uint32_t size_ = 0;
  uint8_t buffer_[64];
};

}  // namespace hearth

#include "crypto/md5.h"

#include <string.h>

namespace hearth {
namespace {

// floor(2^32 * |sin(i + 1)|), RFC 1321 section 3.4.
constexpr uint32_t kSine[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr uint8_t kShift[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

uint32_t rotate(uint32_t value, uint8_t by) { return value << by | value >> (32 - by); }

}  // namespace

Md5::Md5() : state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476} {}

void Md5::block(const uint8_t* bytes) {
  uint32_t a = state_[0];
  uint32_t b = state_[1];
  uint32_t c = state_[2];
  uint32_t d = state_[3];
  for (uint8_t i = 0; i < 64; i++) {
    uint32_t mix;
    uint8_t word;
    if (i < 16) {
      mix = (b & c) | (~b & d);
      word = i;
    } else if (i < 32) {
      mix = (d & b) | (~d & c);
      word = static_cast<uint8_t>((5 * i + 1) % 16);
    } else if (i < 48) {
      mix = b ^ c ^ d;
      word = static_cast<uint8_t>((3 * i + 5) % 16);
    } else {
      mix = c ^ (b | ~d);
      word = static_cast<uint8_t>(7 * i % 16);
    }
    const uint8_t* from = bytes + 4 * word;
    const uint32_t part = static_cast<uint32_t>(from[0]) | static_cast<uint32_t>(from[1]) << 8 |
                          static_cast<uint32_t>(from[2]) << 16 | static_cast<uint32_t>(from[3]) << 24;
    const uint32_t sum = a + mix + kSine[i] + part;
    a = d;
    d = c;
    c = b;
    b += rotate(sum, kShift[i / 16 * 4 + i % 4]);
  }
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
}

Md5& Md5::add(const void* bytes, size_t size) {
  const uint8_t* from = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < size; i++) {
    buffer_[size_++ % 64] = from[i];
    if (size_ % 64 == 0) block(buffer_);
  }
  return *this;
}

Md5& Md5::text(const char* text) { return add(text, strlen(text)); }

void Md5::hex(char out[33]) {
  const uint32_t bits = size_ * 8;
  const uint8_t one = 0x80;
  const uint8_t zero = 0;
  add(&one, 1);
  while (size_ % 64 != 56) add(&zero, 1);
  uint8_t length[8] = {};
  for (int i = 0; i < 4; i++) length[i] = static_cast<uint8_t>(bits >> (8 * i));
  add(length, 8);
  for (int i = 0; i < 16; i++) {
    const uint32_t byte = state_[i / 4] >> (8 * (i % 4)) & 0xff;
    out[2 * i] = "0123456789abcdef"[byte >> 4];
    out[2 * i + 1] = "0123456789abcdef"[byte & 15];
  }
  out[32] = 0;
}

}  // namespace hearth

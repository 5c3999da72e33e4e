#include "crypto/sha256.h"

namespace hearth {
namespace {

// First 32 bits of the fractional parts of the cube roots of the first 64 primes, FIPS 180-4 section 4.2.2.
constexpr uint32_t kRoots[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t rotate(uint32_t value, uint8_t by) { return value >> by | value << (32 - by); }

}  // namespace

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::block() {
  uint32_t words[16];  // the schedule runs in a ring
  for (int i = 0; i < 16; i++) {
    const uint8_t* from = buffer_ + 4 * i;
    words[i] = static_cast<uint32_t>(from[0]) << 24 | static_cast<uint32_t>(from[1]) << 16 |
               static_cast<uint32_t>(from[2]) << 8 | from[3];
  }
  uint32_t v[8];
  for (int i = 0; i < 8; i++) v[i] = state_[i];
  for (int i = 0; i < 64; i++) {
    if (i >= 16) {
      const uint32_t w15 = words[(i + 1) % 16];
      const uint32_t w2 = words[(i + 14) % 16];
      words[i % 16] += (rotate(w15, 7) ^ rotate(w15, 18) ^ w15 >> 3) + words[(i + 9) % 16] +
                       (rotate(w2, 17) ^ rotate(w2, 19) ^ w2 >> 10);
    }
    const uint32_t first = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                           ((v[4] & v[5]) ^ (~v[4] & v[6])) + kRoots[i] + words[i % 16];
    const uint32_t second =
        (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int k = 7; k > 0; k--) v[k] = v[k - 1];
    v[4] += first;
    v[0] = first + second;
  }
  for (int i = 0; i < 8; i++) state_[i] += v[i];
}

void Sha256::add(const void* bytes, size_t size) {
  const uint8_t* from = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < size; i++) {
    buffer_[size_++ % 64] = from[i];
    if (size_ % 64 == 0) block();
  }
}

void Sha256::finish(uint8_t digest[32]) {
  const uint64_t bits = static_cast<uint64_t>(size_) * 8;
  const uint8_t one = 0x80;
  const uint8_t zero = 0;
  add(&one, 1);
  while (size_ % 64 != 56) add(&zero, 1);
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  add(length, 8);
  for (int i = 0; i < 32; i++) digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
}

}  // namespace hearth

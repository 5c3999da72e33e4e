// Hash functions and signatures of BearSSL, the library of the ESP8266.
#pragma once
#include <bearssl/bearssl_hash.h>

#include "port.h"

namespace board {

class ChipHashes final : public hearth::Hashes {
 public:
  void md5_start() override { br_md5_init(&md5_); }
  void md5_add(const void* bytes, size_t size) override { br_md5_update(&md5_, bytes, size); }
  void md5_finish(uint8_t digest[16]) override { br_md5_out(&md5_, digest); }
  void sha256_start() override { br_sha256_init(&sha256_); }
  void sha256_add(const void* bytes, size_t size) override { br_sha256_update(&sha256_, bytes, size); }
  void sha256_finish(uint8_t digest[32]) override { br_sha256_out(&sha256_, digest); }
  bool is_signed(const uint8_t key[64], const uint8_t digest[32], const uint8_t signature[64]) override;

 private:
  br_md5_context md5_;
  br_sha256_context sha256_;
};

}  // namespace board

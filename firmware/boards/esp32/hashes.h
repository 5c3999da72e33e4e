// Hash functions of mbedTLS, the library of the ESP32 family. The simulator and the host tests use them as well.
#pragma once
#include <mbedtls/md5.h>
#include <mbedtls/sha256.h>
#include <mbedtls/version.h>

#include "port.h"

namespace board {

class ChipHashes final : public hearth::Hashes {
 public:
  ChipHashes() {
    mbedtls_md5_init(&md5_);
    mbedtls_sha256_init(&sha256_);
  }
#if MBEDTLS_VERSION_MAJOR >= 3
  void md5_start() override { mbedtls_md5_starts(&md5_); }
  void md5_add(const void* bytes, size_t size) override {
    mbedtls_md5_update(&md5_, static_cast<const unsigned char*>(bytes), size);
  }
  void md5_finish(uint8_t digest[16]) override { mbedtls_md5_finish(&md5_, digest); }
  void sha256_start() override { mbedtls_sha256_starts(&sha256_, 0); }
  void sha256_add(const void* bytes, size_t size) override {
    mbedtls_sha256_update(&sha256_, static_cast<const unsigned char*>(bytes), size);
  }
  void sha256_finish(uint8_t digest[32]) override { mbedtls_sha256_finish(&sha256_, digest); }
#else
  void md5_start() override { mbedtls_md5_starts_ret(&md5_); }
  void md5_add(const void* bytes, size_t size) override {
    mbedtls_md5_update_ret(&md5_, static_cast<const unsigned char*>(bytes), size);
  }
  void md5_finish(uint8_t digest[16]) override { mbedtls_md5_finish_ret(&md5_, digest); }
  void sha256_start() override { mbedtls_sha256_starts_ret(&sha256_, 0); }
  void sha256_add(const void* bytes, size_t size) override {
    mbedtls_sha256_update_ret(&sha256_, static_cast<const unsigned char*>(bytes), size);
  }
  void sha256_finish(uint8_t digest[32]) override { mbedtls_sha256_finish_ret(&sha256_, digest); }
#endif

 private:
  mbedtls_md5_context md5_;
  mbedtls_sha256_context sha256_;
};

}  // namespace board

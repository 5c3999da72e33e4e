// Hash functions and signatures of mbedTLS, the library of the ESP32 family. The simulator and the host tests use them
// as well.
#pragma once
#include <mbedtls/ecdsa.h>
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

  bool is_signed(const uint8_t key[64], const uint8_t digest[32], const uint8_t signature[64]) override {
    uint8_t point[65] = {kUncompressed};
    for (size_t i = 0; i < 64; ++i) point[1 + i] = key[i];
    mbedtls_ecp_group curve;
    mbedtls_ecp_point place;
    mbedtls_mpi r, s;
    mbedtls_ecp_group_init(&curve);
    mbedtls_ecp_point_init(&place);
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    const bool good = mbedtls_ecp_group_load(&curve, MBEDTLS_ECP_DP_SECP256R1) == 0 &&
                      mbedtls_ecp_point_read_binary(&curve, &place, point, sizeof point) == 0 &&
                      mbedtls_mpi_read_binary(&r, signature, 32) == 0 &&
                      mbedtls_mpi_read_binary(&s, signature + 32, 32) == 0 &&
                      mbedtls_ecdsa_verify(&curve, digest, 32, &place, &r, &s) == 0;
    mbedtls_mpi_free(&s);
    mbedtls_mpi_free(&r);
    mbedtls_ecp_point_free(&place);
    mbedtls_ecp_group_free(&curve);
    return good;
  }

 private:
  static constexpr uint8_t kUncompressed = 4;  // SEC 1, 2.3.3
  mbedtls_md5_context md5_;
  mbedtls_sha256_context sha256_;
};

}  // namespace board

// The part of BearSSL 0.6 that boards/esp8266/hashes.cpp uses.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define BR_EC_secp256r1 23
extern "C" {
struct br_ec_impl;
struct br_ec_public_key {
  int curve;
  unsigned char* q;
  size_t qlen;
};
extern const br_ec_impl br_ec_p256_m15;
uint32_t br_ecdsa_i15_vrfy_raw(const br_ec_impl* impl, const void* hash, size_t hash_len, const br_ec_public_key* key,
                               const void* signature, size_t signature_len);
}

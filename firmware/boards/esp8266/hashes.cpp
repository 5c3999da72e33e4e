#include "hashes.h"

#include <StackThunk.h>
#include <bearssl/bearssl_ec.h>

/// Needs more stack than the 4 KB of the loop: it runs on the 6 KB that the core keeps for BearSSL.
extern "C" uint32_t hearth_check_signature(const uint8_t* digest, const br_ec_public_key* key,
                                           const uint8_t* signature) {
  return br_ecdsa_i15_vrfy_raw(&br_ec_p256_m15, digest, 32, key, signature, 64);
}
make_stack_thunk(hearth_check_signature);
extern "C" uint32_t thunk_hearth_check_signature(const uint8_t* digest, const br_ec_public_key* key,
                                                 const uint8_t* signature);

namespace board {

bool ChipHashes::is_signed(const uint8_t key[64], const uint8_t digest[32], const uint8_t signature[64]) {
  uint8_t point[65] = {4};  // uncompressed (SEC 1, 2.3.3)
  for (size_t i = 0; i < 64; ++i) point[1 + i] = key[i];
  const br_ec_public_key place = {BR_EC_secp256r1, point, sizeof point};
  stack_thunk_add_ref();
  const bool good = thunk_hearth_check_signature(digest, &place, signature) == 1;
  stack_thunk_del_ref();
  return good;
}

}  // namespace board

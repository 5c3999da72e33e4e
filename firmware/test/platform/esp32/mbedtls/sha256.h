// The part of mbedTLS 3 that boards/esp32/hashes.h uses.
#pragma once
#include <stddef.h>

extern "C" {
struct mbedtls_sha256_context {
  unsigned char state[108];
};
void mbedtls_sha256_init(mbedtls_sha256_context* context);
int mbedtls_sha256_starts(mbedtls_sha256_context* context, int is224);
int mbedtls_sha256_update(mbedtls_sha256_context* context, const unsigned char* input, size_t size);
int mbedtls_sha256_finish(mbedtls_sha256_context* context, unsigned char* output);
}

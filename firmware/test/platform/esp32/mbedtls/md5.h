// The part of mbedTLS 3 that boards/esp32/hashes.h uses.
#pragma once
#include <stddef.h>

extern "C" {
struct mbedtls_md5_context {
  unsigned char state[88];
};
void mbedtls_md5_init(mbedtls_md5_context* context);
int mbedtls_md5_starts(mbedtls_md5_context* context);
int mbedtls_md5_update(mbedtls_md5_context* context, const unsigned char* input, size_t size);
int mbedtls_md5_finish(mbedtls_md5_context* context, unsigned char output[16]);
}

// The part of BearSSL 0.6 that boards/esp8266/hashes.h uses.
#pragma once
#include <stddef.h>
#include <stdint.h>

extern "C" {
struct br_md5_context {
  unsigned char state[92];
};
struct br_sha256_context {
  unsigned char state[108];
};
void br_md5_init(br_md5_context* context);
void br_md5_update(br_md5_context* context, const void* data, size_t size);
void br_md5_out(const br_md5_context* context, void* out);
void br_sha256_init(br_sha256_context* context);
void br_sha256_out(const br_sha256_context* context, void* out);
// BearSSL shares the update function of SHA-224 and SHA-256.
void br_sha224_update(br_sha256_context* context, const void* data, size_t size);
}
#define br_sha256_update br_sha224_update

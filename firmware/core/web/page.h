// The settings page, compressed. Written by scripts/firmware-page.ts from firmware/web.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

extern const uint8_t kPage[];
extern const size_t kPageBytes;
/// Header lines of its reply: encoding, and a policy that names its script and style sheet by their hashes.
extern const char kPageHeaders[];

}  // namespace hearth

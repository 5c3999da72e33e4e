// Cutting UTF-8 at whole characters.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// Copies at most `characters` whole characters that fit into `capacity` bytes with the NUL. True when nothing was cut.
bool copy_text(char* to, size_t capacity, const char* from, size_t characters);
/// Number of characters (bytes that do not continue one).
size_t count_characters(const char* text);

}  // namespace hearth

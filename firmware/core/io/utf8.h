// Truncates UTF-8 between characters.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// Copies at most `characters` characters that fit into `capacity` bytes with the NUL. Returns true if nothing was
/// truncated.
bool copy_text(char* to, size_t capacity, const char* from, size_t characters);
/// Number of characters (bytes that do not continue one).
size_t count_characters(const char* text);

}  // namespace hearth

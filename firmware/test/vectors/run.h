// Plays packed vectors and prints what comes of each, as text: the same on the host and on each chip.
#pragma once
#include "port.h"
#include "render/pack.h"

namespace hearth {

/// False when the pack is broken or has an unknown kind or scene.
bool run_vectors(const uint8_t* pack, size_t size, ByteSink& out);

}  // namespace hearth

// Plays packed vectors and prints the result of each as text: the same on the host and on each chip.
#pragma once
#include "port.h"
#include "render/pack.h"

namespace hearth {

/// Returns false if the pack is damaged or has an unknown kind or scene.
bool run_vectors(const uint8_t* pack, size_t size, ByteSink& out);

}  // namespace hearth

// The device's heap: a fixed piece of memory from which connections and time keeping are served, so that they fail
// where they would fail on the chip. First fit, neighbours joined again: fragmentation is real.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace sim {

void heap_start(size_t bytes);
/// Zeroed memory, or null when no block is large enough.
void* heap_take(size_t bytes);
void heap_give(void* block);
size_t heap_free();
size_t heap_largest();
/// Peak use since the last call.
size_t heap_peak();

/// While an instance exists, `calloc` of linked libraries uses the heap of the device.
class OnDevice {
 public:
  OnDevice();
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
};

}  // namespace sim

// The heap of the device: a fixed block of memory for connections and time synchronization, so that allocations fail
// where they would fail on the chip. Blocks are allocated first fit and free neighbors are merged, so fragmentation is
// realistic.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace sim {

void heap_start(size_t bytes);
/// Returns zeroed memory, or null if no block is large enough.
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

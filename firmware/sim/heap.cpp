#include "heap.h"

#include <stdlib.h>
#include <string.h>

extern "C" void* __real_calloc(size_t count, size_t size);
extern "C" void __real_free(void* block);

namespace sim {
namespace {

struct Block {
  size_t size;  ///< with this header
  bool taken;
};
constexpr size_t kAlign = 16;
constexpr size_t kHeader = (sizeof(Block) + kAlign - 1) / kAlign * kAlign;

struct Heap {
  uint8_t* memory = nullptr;
  size_t size = 0;
  size_t used = 0;
  size_t peak = 0;
  int on_device = 0;
} heap;

Block* at(size_t offset) { return reinterpret_cast<Block*>(heap.memory + offset); }

void join_neighbours() {
  for (size_t offset = 0; offset < heap.size;) {
    Block* block = at(offset);
    const size_t next = offset + block->size;
    if (!block->taken && next < heap.size && !at(next)->taken) {
      block->size += at(next)->size;
      continue;
    }
    offset = next;
  }
}

}  // namespace

void heap_start(size_t bytes) {
  heap.size = bytes / kAlign * kAlign;
  heap.memory = static_cast<uint8_t*>(aligned_alloc(kAlign, heap.size));
  *at(0) = Block{heap.size, false};
}

void* heap_take(size_t bytes) {
  const size_t wanted = kHeader + (bytes + kAlign - 1) / kAlign * kAlign;
  for (size_t offset = 0; offset < heap.size; offset += at(offset)->size) {
    Block* block = at(offset);
    if (block->taken || block->size < wanted) continue;
    if (block->size - wanted > kHeader) {
      *at(offset + wanted) = Block{block->size - wanted, false};
      block->size = wanted;
    }
    block->taken = true;
    heap.used += block->size;
    if (heap.used > heap.peak) heap.peak = heap.used;
    return memset(heap.memory + offset + kHeader, 0, block->size - kHeader);
  }
  return nullptr;
}

void heap_give(void* memory) {
  if (memory == nullptr) return;
  Block* block = reinterpret_cast<Block*>(static_cast<uint8_t*>(memory) - kHeader);
  block->taken = false;
  heap.used -= block->size;
  join_neighbours();
}

size_t heap_free() { return heap.size - heap.used; }

size_t heap_largest() {
  size_t largest = 0;
  for (size_t offset = 0; offset < heap.size; offset += at(offset)->size) {
    if (!at(offset)->taken && at(offset)->size > largest) largest = at(offset)->size;
  }
  return largest > kHeader ? largest - kHeader : 0;
}

size_t heap_peak() {
  const size_t peak = heap.peak;
  heap.peak = heap.used;
  return peak;
}

OnDevice::OnDevice() { ++heap.on_device; }
OnDevice::~OnDevice() { --heap.on_device; }

}  // namespace sim

extern "C" void* __wrap_calloc(size_t count, size_t size) {
  if (sim::heap.on_device == 0) return __real_calloc(count, size);
  return size != 0 && count > SIZE_MAX / size ? nullptr : sim::heap_take(count * size);
}

extern "C" void __wrap_free(void* block) {
  const auto* byte = static_cast<const uint8_t*>(block);
  if (byte >= sim::heap.memory && byte < sim::heap.memory + sim::heap.size)
    sim::heap_give(block);
  else
    __real_free(block);
}

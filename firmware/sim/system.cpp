#include "system.h"

#include <stdio.h>

#include "heap.h"

namespace sim {

namespace {
constexpr uint32_t kSlotBytes = 0x180000;
constexpr uint32_t kSlotBytesEsp8266 = 1020 * 1024;
}  // namespace

ChipSystem::ChipSystem(const Options& options)
    : options_(options),
      tag_(options.board.empty() ? "sim-" + options.chip_name : options.board),
      asset_("hearth-ticker-" + tag_ + ".update") {
  const uint32_t slot = options.chip == hearth::Chip::Esp8266 ? kSlotBytesEsp8266 : kSlotBytes;
  board_ = {options.chip,
            tag_.c_str(),
            options.version.c_str(),
            options.repo_owner.c_str(),
            options.repo_name.c_str(),
            asset_.c_str(),
            options.chip_number,
            true,
            slot};
  for (const std::vector<uint8_t>& key : options.update_keys)
    memcpy(update_keys_[board_.update_key_count++], key.data(), sizeof update_keys_[0]);
  board_.update_keys = update_keys_;
}

uint32_t ChipSystem::free_heap() { return static_cast<uint32_t>(heap_free()); }
uint32_t ChipSystem::largest_block() { return static_cast<uint32_t>(heap_largest()); }

void ChipSystem::start_again(hearth::ResetCause cause) {
  cause_ = cause;
  restart_ = true;
}

bool ChipSystem::take_restart() {
  const bool asked = restart_;
  restart_ = false;
  return asked;
}

bool ChipSystem::update_begin(uint32_t size) {
  if (running_) return false;  // as Update.begin of both cores
  running_ = true;
  image_.clear();
  expected_ = size;
  return size <= board_.slot_bytes;
}

bool ChipSystem::update_write(const void* bytes, size_t size) {
  image_.append(static_cast<const char*>(bytes), size);
  return image_.size() <= board_.slot_bytes;
}

/// Stores the image beside the settings, where a test can compare it.
bool ChipSystem::update_end() {
  running_ = false;
  if (image_.size() != expected_) return false;
  FILE* file = fopen((options_.state_folder + "/firmware.bin").c_str(), "wb");
  if (file == nullptr) return false;
  const bool whole = fwrite(image_.data(), 1, image_.size(), file) == image_.size();
  return fclose(file) == 0 && whole;
}

void ChipSystem::update_abandon() {
  running_ = false;
  image_.clear();
}

}  // namespace sim

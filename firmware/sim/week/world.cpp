#include "world.h"

#include <string.h>

#include <algorithm>

namespace week {

namespace {
constexpr int64_t kMonday = 1794787200;  // 2026-11-16 00:00 UTC
constexpr int64_t kEarliest = 1609459200;
constexpr uint64_t kSyncEvery = kHour;
}  // namespace

bool WeekClock::unix_seconds(int64_t* seconds) {
  *seconds = kMonday + static_cast<int64_t>(ms_ / 1000) + error_s_;
  return known_ && *seconds > kEarliest;
}

void WeekClock::keep_time(bool wanted) {
  wanted_ = wanted;
  asked_ = ms_;
}

uint32_t WeekClock::sync_age_ms() {
  const uint64_t age = ms_ - synced_;
  return known_ && age < UINT32_MAX ? static_cast<uint32_t>(age) : UINT32_MAX;
}

void WeekClock::step(uint64_t ms, bool online) {
  ms_ += ms;
  if (!wanted_ || !online || time_servers_are_down(ms_) || ms_ < asked_) return;
  known_ = true;
  error_s_ = time_jump(ms_);
  synced_ = ms_;
  asked_ = ms_ + kSyncEvery;
}

bool MemoryStore::open(const char* name) {
  open_ = name;
  at_ = 0;
  return files_.count(open_) > 0;
}

size_t MemoryStore::read(void* bytes, size_t capacity) {
  const std::string& file = files_[open_];
  const size_t part = std::min(capacity, file.size() - at_);
  memcpy(bytes, file.data() + at_, part);
  at_ += part;
  return part;
}

bool MemoryStore::create(const char* name) {
  target_ = name;
  fresh_.clear();
  return true;
}

bool MemoryStore::write(const void* bytes, size_t size) {
  fresh_.append(static_cast<const char*>(bytes), size);
  return !target_.empty();
}

bool MemoryStore::commit() {
  if (target_.empty()) return false;
  files_[target_] = fresh_;
  target_.clear();
  ++commits;
  return true;
}

size_t MemoryStore::bytes() const {
  size_t sum = 0;
  for (const auto& [name, file] : files_) sum += name.size() + file.size();
  return sum;
}

}  // namespace week

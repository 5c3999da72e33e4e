#include "clock.h"

#include <time.h>

#include "heap.h"

namespace sim {
namespace {

constexpr int64_t kEarliest = 1609459200;   // 2021-01-01
constexpr uint64_t kAnswerMs = 200;         // of a time server
constexpr uint64_t kAgainMs = 3600 * 1000;  // SNTP's own interval on these chips
constexpr size_t kTimeKeepingBytes = 2048;  // approximate heap use of SNTP on an ESP8266
constexpr double kLargestStepMs = 250;

int64_t real_us() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000000 + now.tv_nsec / 1000;
}

}  // namespace

FastClock::FastClock(const Options& options, const Faults& faults)
    : options_(options),
      faults_(faults),
      start_(options.millis_start),
      ms_(start_),
      real_us_(real_us()),
      epoch_ms_((options.epoch != 0 ? options.epoch : static_cast<int64_t>(time(nullptr))) * 1000) {}

bool FastClock::unix_seconds(int64_t* seconds) {
  *seconds = (epoch_ms_ + static_cast<int64_t>(total()) + error_ms_) / 1000;
  return known_ && *seconds > kEarliest;
}

void FastClock::keep_time(bool wanted) {
  wanted_ = wanted;
  asked_ = ms_;
  if (wanted && memory_ == nullptr) {
    // Fragments the heap, as on the chip: enough memory is free, but not in one block.
    void* below = heap_take(heap_free() * 2 / 5);
    memory_ = heap_take(kTimeKeepingBytes);
    heap_give(below);
  }
  if (!wanted) {
    heap_give(memory_);
    memory_ = nullptr;
  }
}

uint32_t FastClock::sync_age_ms() {
  const uint64_t age = ms_ - synced_;
  return known_ && age < UINT32_MAX ? static_cast<uint32_t>(age) : UINT32_MAX;
}

void FastClock::turn(bool busy, bool online) {
  const int64_t now = real_us();
  const double speed = busy ? 1 : options_.speed;
  double step = static_cast<double>(now - real_us_) / 1000 * speed + rest_;
  if (speed > 1 && step > kLargestStepMs) step = kLargestStepMs;
  const uint64_t whole = static_cast<uint64_t>(step);
  rest_ = step - static_cast<double>(whole);
  ms_ += whole;
  real_us_ = now;
  if (!wanted_ || !online || faults_.time_down || faults_.net_down || ms_ < asked_ + kAnswerMs) return;
  error_ms_ = faults_.time_jump_s * 1000;
  known_ = true;
  synced_ = ms_;
  asked_ = ms_ + kAgainMs;
}

}  // namespace sim

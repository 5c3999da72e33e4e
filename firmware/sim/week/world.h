// A device in virtual time: files in memory, no panel, a radio that drops, a clock that jumps and wraps.
#pragma once
#include <string.h>

#include <vector>

#include "../clock.h"
#include "net.h"

namespace week {

class WeekClock final : public hearth::Clock, public sim::Elapsed {
 public:
  uint32_t millis() override { return static_cast<uint32_t>(kMillisAtStart + ms_); }
  bool unix_seconds(int64_t* seconds) override;
  void keep_time(bool wanted) override;
  uint32_t sync_age_ms() override;
  uint64_t total() const override { return ms_; }
  void step(uint64_t ms, bool online);
  void forget() { wanted_ = known_ = false; }

 private:
  static constexpr uint64_t kMillisAtStart = (1ull << 32) - 2 * kDay - 3 * kHour;  // wraps on the third day
  uint64_t ms_ = 0;
  bool wanted_ = false, known_ = false;
  uint64_t asked_ = 0, synced_ = 0;
  int64_t error_s_ = 0;
};

class MemoryStore final : public hearth::Store {
 public:
  bool open(const char* name) override;
  size_t read(void* bytes, size_t capacity) override;
  void close() override { at_ = 0; }
  bool create(const char* name) override;
  bool write(const void* bytes, size_t size) override;
  bool commit() override;
  void abandon() override { target_.clear(); }
  bool remove(const char* name) override { return files_.erase(name) > 0; }
  size_t bytes() const;
  uint64_t commits = 0;

 private:
  std::map<std::string, std::string> files_;
  std::string open_, target_, fresh_;
  size_t at_ = 0;
};

class WeekSystem final : public hearth::System {
 public:
  explicit WeekSystem(const sim::Elapsed& clock) : clock_(clock) {}
  const hearth::BoardInfo& board() override { return board_; }
  uint32_t free_heap() override { return largest_block(); }
  uint32_t largest_block() override { return week::largest_block(clock_.total()); }
  uint32_t free_stack() override { return 3000; }
  hearth::ResetCause reset_cause() override { return cause; }
  void recall(void* bytes, size_t size) override { memcpy(bytes, kept_, size); }
  void keep(const void* bytes, size_t size) override { memcpy(kept_, bytes, size); }
  void restart() override { again = true; }
  bool update_begin(uint32_t) override { return false; }
  bool update_write(const void*, size_t) override { return false; }
  bool update_end() override { return false; }
  void update_abandon() override {}
  void confirm() override {}
  hearth::ResetCause cause = hearth::ResetCause::PowerOn;
  bool again = false;

 private:
  const sim::Elapsed& clock_;
  hearth::BoardInfo board_ = {
      hearth::Chip::Esp8266, "week", "1.0.0", "owner", "quotes", "week.bin", 0xBEEF, true, 1044464};
  uint8_t kept_[16] = {};
};

}  // namespace week

// Time since the start, and the time of day after a time server has replied.
#pragma once
#include "port.h"

namespace board {

class NetClock final : public hearth::Clock {
 public:
  uint32_t millis() override;
  bool unix_seconds(int64_t* seconds) override;
  void keep_time(bool wanted) override;
  uint32_t sync_age_ms() override;

 private:
  bool running_ = false;
};

}  // namespace board

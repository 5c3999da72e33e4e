#include "clock.h"

#include <Arduino.h>
#include <time.h>

#include "platform.h"

namespace board {

namespace {
constexpr int64_t kEarliest = 1609459200;  // 2021-01-01; an earlier time means that no server replied
volatile bool synced = false;
volatile uint32_t synced_ms = 0;

void take_note() {
  synced = true;
  synced_ms = ::millis();
}
}  // namespace

uint32_t NetClock::millis() { return ::millis(); }

bool NetClock::unix_seconds(int64_t* seconds) {
  *seconds = static_cast<int64_t>(time(nullptr));
  return synced && *seconds > kEarliest;
}

void NetClock::keep_time(bool wanted) {
  if (running_) stop_time_servers();
  running_ = wanted;
  if (wanted) ask_time_servers("pool.ntp.org", "time.nist.gov", take_note);
}

uint32_t NetClock::sync_age_ms() { return synced ? ::millis() - synced_ms : UINT32_MAX; }

}  // namespace board

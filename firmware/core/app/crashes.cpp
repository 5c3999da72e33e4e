#include "app/crashes.h"

#include "provision/crc32.h"

namespace hearth {
namespace {

uint32_t checksum(const CrashMemory& kept) { return crc32(0, kept.since_s, sizeof kept.since_s); }

}  // namespace

void forget_crashes(CrashMemory* kept) {
  for (uint16_t& since : kept->since_s) since = kNoCrash;
  kept->check = checksum(*kept);
}

void count_crash(CrashMemory* kept, ResetCause cause) {
  if (cause == ResetCause::PowerOn || kept->check != checksum(*kept)) forget_crashes(kept);
  if (cause != ResetCause::Crash && cause != ResetCause::Watchdog) return;
  for (uint8_t i = kManyCrashes - 1; i > 0; i--) kept->since_s[i] = kept->since_s[i - 1];
  kept->since_s[0] = 0;
  kept->check = checksum(*kept);
}

void age_crashes(CrashMemory* kept, uint32_t seconds) {
  for (uint8_t i = 0; i < kManyCrashes; i++) {
    uint16_t& since = kept->since_s[i];
    if (since != kNoCrash)
      since = seconds < static_cast<uint32_t>(kNoCrash - since) ? static_cast<uint16_t>(since + seconds) : kNoCrash;
  }
  kept->check = checksum(*kept);
}

uint8_t recent_crashes(const CrashMemory& kept) {
  uint8_t count = 0;
  for (uint8_t i = 0; i < kManyCrashes; i++)
    count = static_cast<uint8_t>(count + (kept.since_s[i] <= kCrashWindowS ? 1 : 0));
  return count;
}

}  // namespace hearth

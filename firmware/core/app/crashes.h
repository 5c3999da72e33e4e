// Counts crashes over restarts, in memory that a restart keeps. Pure: what was kept and the cause of the start in, a
// decision out.
#pragma once
#include "port.h"

namespace hearth {

constexpr uint8_t kManyCrashes = 3;          ///< so many within kCrashWindowS start the safe mode
constexpr uint16_t kCrashWindowS = 10 * 60;  ///< also how long the safe mode lasts

/// How long ago the last crashes were, newest first; `check` tells it from what a power cut leaves in that memory.
struct CrashMemory {
  uint16_t since_s[kManyCrashes + 1];  ///< kNoCrash = none; the last place is not used
  uint32_t check;
};
constexpr uint16_t kNoCrash = UINT16_MAX;

/// Takes what was kept (anything, after a power cut) and the cause of this start.
void count_crash(CrashMemory* kept, ResetCause cause);
/// Lets time pass.
void age_crashes(CrashMemory* kept, uint32_t seconds);
/// Forgets all crashes.
void forget_crashes(CrashMemory* kept);
/// Crashes within the window.
uint8_t recent_crashes(const CrashMemory& kept);

}  // namespace hearth

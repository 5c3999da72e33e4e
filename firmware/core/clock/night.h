// Decides when the screen is dimmed. Pure.
#pragma once
#include "settings/settings.h"

namespace hearth {

constexpr uint32_t kFreshSyncMs = 5 * 60 * 1000;  ///< only a clock that was set so recently may begin a night
constexpr uint32_t kAskAgainMs = 30 * 1000;

struct NightState {
  bool night;  ///< latched until the window ends
  bool held;   ///< inside the window, but the clock is not reliable: the screen stays on
  bool asked;
  uint32_t asked_ms;
};

struct NightInput {
  uint32_t now_ms;
  bool time_known;
  uint16_t minute;  ///< local, after midnight
  bool weekend;     ///< Saturday or Sunday
  uint32_t sync_age_ms;
};

/// One step; returns true if the clock should be synchronized now.
bool night_step(NightState* state, const ClockSettings& settings, const NightInput& input);

/// Whether a minute is in the window, which may pass midnight. If start equals end, there is no window.
bool in_window(uint16_t start, uint16_t end, uint16_t minute);

constexpr uint8_t kNoLight = 255;

/// Backlight percentage: the night level, otherwise the light sensor (kNoLight = none), otherwise the configured
/// brightness.
uint8_t backlight_level(const Settings& settings, bool night, uint8_t light);

}  // namespace hearth

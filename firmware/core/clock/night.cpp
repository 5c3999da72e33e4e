#include "clock/night.h"

namespace hearth {

bool in_window(uint16_t start, uint16_t end, uint16_t minute) {
  if (start == end) return false;
  if (start < end) return minute >= start && minute < end;
  return minute >= start || minute < end;
}

bool night_step(NightState* state, const ClockSettings& settings, const NightInput& input) {
  const bool own = settings.weekend_own && input.weekend;
  const bool inside = settings.night_enabled && input.time_known &&
                      in_window(own ? settings.weekend_start : settings.night_start,
                                own ? settings.weekend_end : settings.night_end, input.minute);
  const bool fresh = input.sync_age_ms <= kFreshSyncMs;
  if (!inside) {
    state->night = state->held = false;
  } else if (!state->night) {
    state->night = fresh;
    state->held = !fresh;
  }
  const bool waiting = settings.night_enabled && (state->held || !input.time_known);
  if (!waiting) {
    state->asked = false;
    return false;
  }
  if (state->asked && input.now_ms - state->asked_ms < kAskAgainMs) return false;
  state->asked = true;
  state->asked_ms = input.now_ms;
  return true;
}

uint8_t backlight_level(const Settings& settings, bool night, uint8_t light) {
  constexpr uint8_t kLeast = 5;  // keeps the screen readable when the sensor is in the dark
  if (night) return settings.clock.night_level;
  if (settings.auto_brightness && light != kNoLight)
    return light < kLeast ? kLeast : light > 100 ? static_cast<uint8_t>(100) : light;
  return settings.brightness;
}

}  // namespace hearth

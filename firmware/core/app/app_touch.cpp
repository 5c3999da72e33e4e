// The touch pad of boards that have one.
#include "app/app.h"

namespace hearth {

void App::touch(bool down) {
  constexpr uint32_t kShortestMs = 30;  // shorter ones are noise
  if (down == touched_) return;
  const uint32_t now = ports_.clock.millis();
  touched_ = down;
  const uint32_t held = now - touched_at_;
  touched_at_ = now;
  if (!down && held >= kShortestMs) end_touch(held);
}

void App::end_touch(uint32_t held_ms) {
  constexpr uint32_t kSetupMs = 5000, kResetMs = 15000;
  if (held_ms >= kResetMs) return factory_reset();
  if (held_ms >= kSetupMs) {
    log("setup network by touch");
    join_open_setup(&join_, now_);
    ports_.wifi.open_access_point(settings_.ap_ssid, settings_.ap_pass);
    return;
  }
  view_.page++;  // choose_ticker_page begins again after the last one
  page_since_ = now_;
  view_.revision++;
}

}  // namespace hearth

#include "render/play.h"

namespace hearth {

Outcome Player::read(const char* settings, size_t settings_size, const char* view, size_t view_size) {
  SettingsError error;
  if (!read_settings(settings, settings_size, &state_, &error)) {
    complaint_.clear();
    complaint_.add(error.key ? error.key : "settings").add(" ").add(error.rule);
    return Outcome::BadSettings;
  }
  if (!read_scene(view, view_size, &state_)) return Outcome::BadView;
  state_.view.revision = ++revision_;
  return Outcome::Done;
}

Outcome Player::show(const char* settings, size_t settings_size, const char* view, size_t view_size, Look look) {
  const Outcome outcome = read(settings, settings_size, view, view_size);
  if (outcome != Outcome::Done) return outcome;
  if (look == Look::Panel) {
    screen_.forget();
    screen_.draw(state_.view, frame_);
    return outcome;
  }
  constexpr uint16_t kRows = 8;
  uint16_t band[kSide * kRows];
  frame_.window(0, 0, kSide, kSide);
  for (uint16_t y = 0; y < kSide; y = static_cast<uint16_t>(y + kRows)) {
    draw_rows(state_.view, Output::for_eyes(state_.view.brightness), y, kRows, band);
    frame_.push(band, static_cast<size_t>(kSide) * kRows);
  }
  return outcome;
}

int32_t Player::follow(const char* settings, size_t settings_size, const char* view, size_t view_size) {
  if (read(settings, settings_size, view, view_size) != Outcome::Done) return -1;
  const uint32_t before = frame_.pushed();
  screen_.draw(state_.view, frame_);
  return static_cast<int32_t>(frame_.pushed() - before);
}

}  // namespace hearth

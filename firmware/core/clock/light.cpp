#include "clock/light.h"

namespace hearth {

void LightMeter::add(uint8_t light, uint32_t now_ms) {
  if (light > 100) light = 100;
  sampled_ms_ = now_ms;
  if (!begun_) {
    begun_ = true;
    target_ = level_ = light;
    moved_ms_ = now_ms;
    return;
  }
  uint8_t at = count_++;  // kept in order
  for (; at > 0 && readings_[at - 1] > light; at--) readings_[at] = readings_[at - 1];
  readings_[at] = light;
  if (count_ < kReadings) return;
  count_ = 0;
  const uint8_t median = readings_[kReadings / 2];
  const int difference = median - target_;
  if (difference > kNoise || difference < -kNoise) target_ = median;
}

uint8_t LightMeter::level(uint32_t now_ms) {
  if (level_ == target_) {
    moved_ms_ = now_ms;
    return level_;
  }
  while (level_ != target_ && now_ms - moved_ms_ >= kLightStepMs) {
    level_ = static_cast<uint8_t>(level_ < target_ ? level_ + 1 : level_ - 1);
    moved_ms_ += kLightStepMs;
  }
  return level_;
}

}  // namespace hearth

// Turns the light sensor's noisy readings into a backlight level that moves slowly.
#pragma once
#include <stdint.h>

namespace hearth {

constexpr uint32_t kLightSampleMs = 400;  ///< five readings make one measurement: one every 2 s
constexpr uint32_t kLightStepMs = 20;     ///< 1 % each

class LightMeter {
 public:
  /// Whether a reading is wanted now.
  bool wants(uint32_t now_ms) const { return !begun_ || now_ms - sampled_ms_ >= kLightSampleMs; }
  void add(uint8_t light, uint32_t now_ms);
  /// Level now, 0..100. It follows the median of five readings, only if that differs by more than 3.
  uint8_t level(uint32_t now_ms);
  /// The next reading counts at once.
  void forget() { *this = LightMeter(); }

 private:
  static constexpr uint8_t kReadings = 5;
  static constexpr uint8_t kNoise = 3;
  bool begun_ = false;
  uint8_t readings_[kReadings] = {};
  uint8_t count_ = 0;
  uint8_t target_ = 0;
  uint8_t level_ = 0;
  uint32_t sampled_ms_ = 0;
  uint32_t moved_ms_ = 0;
};

}  // namespace hearth

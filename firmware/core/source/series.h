// Collects closes in a fixed space and downsamples them to a sparkline.
#pragma once
#include "quote/quote.h"

namespace hearth {

/// Number of closes that are stored individually. If there are more (only "max" of very old listings), every second,
/// fourth … is stored.
constexpr uint16_t kSeriesCapacity = 400;

class Series {
 public:
  void start();
  /// Adds the next close in order of time.
  void add(Decimal close);
  uint16_t count() const { return count_; }
  /// The space of the closes, which other code may use until the first `add`, because memory is scarce on an ESP8266.
  char* idle_space() { return reinterpret_cast<char*>(values_); }
  static constexpr size_t kIdleBytes = kSeriesCapacity * sizeof(int32_t);
  /// Returns at most `points` points (60): output k is the close number round(k*(n-1)/(points-1)), and the newest is
  /// always the last one. Fewer than two closes or points give an empty spark.
  void thin_out(uint8_t points, Spark* spark) const;
  /// Returns the newest 60 closes without downsampling.
  void newest(Spark* spark) const;

 private:
  void make_room();
  void coarser();
  void scale(const int32_t* picked, uint8_t count, Spark* spark) const;
  int32_t at(uint16_t index) const { return index + 1 == count_ ? last_ : values_[index]; }
  uint16_t count_;
  uint16_t stride_;  // every stride-th close is stored
  uint16_t skipped_;
  int8_t exponent_;
  int32_t last_;
  int32_t values_[kSeriesCapacity];
};

}  // namespace hearth

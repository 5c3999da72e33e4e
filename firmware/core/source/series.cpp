#include "source/series.h"

namespace hearth {
namespace {

constexpr int64_t kMost = 2147483647;
constexpr int64_t kNineDigits = 1000000000;

int32_t tenth(int32_t value) { return value < 0 ? (value - 5) / 10 : (value + 5) / 10; }

}  // namespace

void Series::start() {
  count_ = 0;
  stride_ = 1;
  skipped_ = 0;
  exponent_ = 0;
  last_ = 0;
}

/// Converts all values to a unit ten times as coarse.
void Series::coarser() {
  exponent_++;
  last_ = tenth(last_);
  for (uint16_t i = 0; i < count_; i++) values_[i] = tenth(values_[i]);
}

/// Keeps only every second value.
void Series::make_room() {
  for (uint16_t i = 0; i < kSeriesCapacity / 2; i++) values_[i] = values_[2 * i];
  count_ = kSeriesCapacity / 2;
  stride_ = static_cast<uint16_t>(stride_ * 2);
  skipped_ = 0;
}

void Series::add(Decimal close) {
  int64_t value = 0;
  if (count_ == 0) {
    // Nine digits of the first close preserve the exact price for the change over the period.
    Decimal first = reduced(close);
    while (first.mantissa > -kNineDigits / 10 && first.mantissa < kNineDigits / 10 && first.mantissa != 0 &&
           first.exponent > -24) {
      first.mantissa *= 10;
      first.exponent = static_cast<int8_t>(first.exponent - 1);
    }
    exponent_ = first.exponent;
  }
  while (!rescale(close, exponent_, &value) || value > kMost || value < -kMost) coarser();
  last_ = static_cast<int32_t>(value);
  if (count_ > 0 && ++skipped_ < stride_) return;
  skipped_ = 0;
  if (count_ == kSeriesCapacity) make_room();
  values_[count_++] = last_;
}

void Series::thin_out(uint8_t points, Spark* spark) const {
  uint8_t want = points < kSparkPoints ? points : kSparkPoints;
  if (want < 2 || count_ < 2) {
    *spark = Spark{};
    return;
  }
  int32_t picked[kSparkPoints];
  if (count_ <= want) {
    for (uint16_t i = 0; i < count_; i++) picked[i] = at(i);
    want = static_cast<uint8_t>(count_);
  } else {
    const uint32_t steps = want - 1u;
    for (uint8_t k = 0; k < want; k++)
      picked[k] = at(static_cast<uint16_t>((2u * k * (count_ - 1u) + steps) / (2 * steps)));
  }
  scale(picked, want, spark);
}

void Series::newest(Spark* spark) const {
  if (count_ < 2) {
    *spark = Spark{};
    return;
  }
  const uint8_t want = count_ < kSparkPoints ? static_cast<uint8_t>(count_) : kSparkPoints;
  int32_t picked[kSparkPoints];
  for (uint8_t k = 0; k < want; k++) picked[k] = at(static_cast<uint16_t>(count_ - want + k));
  scale(picked, want, spark);
}

void Series::scale(const int32_t* picked, uint8_t count, Spark* spark) const {
  *spark = Spark{};
  int32_t low = picked[0];
  int32_t high = picked[0];
  for (uint8_t k = 1; k < count; k++) {
    if (picked[k] < low) low = picked[k];
    if (picked[k] > high) high = picked[k];
  }
  const int64_t span = static_cast<int64_t>(high) - low;
  for (uint8_t k = 0; k < count; k++) {
    const int64_t above = static_cast<int64_t>(picked[k]) - low;
    spark->points[k] = static_cast<uint16_t>(span == 0 ? 32767 : (above * 65535 + span / 2) / span);
  }
  spark->count = count;
  spark->exponent = exponent_;
  spark->low = low;
  spark->high = high;
  spark->first = picked[0];
}

}  // namespace hearth

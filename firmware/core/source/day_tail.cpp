#include "source/parser.h"

namespace hearth {
namespace {

int64_t day_of(int64_t seconds, int32_t offset) {
  const int64_t local = seconds + offset;
  return local >= 0 ? local / 86400 : (local - 86399) / 86400;
}

}  // namespace

void DayTail::time(int64_t seconds) { times_[time_count_++ % kKept] = seconds; }

void DayTail::close(bool valid, Decimal value) {
  const uint16_t index = close_count_++;
  if (!valid) return;
  closes_[valid_count_ % kKept] = value;
  index_[valid_count_ % kKept] = index;
  valid_count_++;
}

bool DayTail::last(Decimal* value, int64_t* seconds) const {
  if (valid_count_ == 0 || close_count_ > time_count_) return false;
  const uint16_t at = static_cast<uint16_t>((valid_count_ - 1) % kKept);
  const uint16_t ago = static_cast<uint16_t>(time_count_ - 1 - index_[at]);
  if (ago >= kKept) return false;
  *value = closes_[at];
  *seconds = times_[index_[at] % kKept];
  return true;
}

bool DayTail::previous(int64_t market_time, int32_t gmt_offset, Decimal* value, bool* none) const {
  *none = false;
  if (market_time == 0 || time_count_ == 0 || close_count_ > time_count_) return false;
  const int64_t day = day_of(market_time, gmt_offset);
  const uint16_t kept = time_count_ < kKept ? time_count_ : kKept;
  uint16_t same_day = 0;
  while (same_day < kept && day_of(times_[(time_count_ - 1 - same_day) % kKept], gmt_offset) >= day) same_day++;
  if (same_day == kept) {
    *none = kept == time_count_;
    return false;
  }
  const uint16_t before = static_cast<uint16_t>(time_count_ - same_day);
  const uint16_t closes = valid_count_ < kKept ? valid_count_ : kKept;
  for (uint16_t i = 0; i < closes; i++) {
    const uint16_t at = static_cast<uint16_t>((valid_count_ - 1 - i) % kKept);
    if (index_[at] >= before) continue;
    *value = closes_[at];
    return true;
  }
  *none = valid_count_ <= kKept;
  return false;
}

}  // namespace hearth

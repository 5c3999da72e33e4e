// POSIX TZ strings: "CET-1CEST,M3.5.0,M10.5.0/3", "<+0330>-3:30", "EST5EDT".
#pragma once
#include "clock/civil.h"

namespace hearth {

/// A day of the year on which the clocks change, and the local time of the change.
struct TimeZoneRule {
  enum Kind : uint8_t {
    Month,
    Julian,
    DayOfYear
  } kind;  ///< Mm.w.d; Jn (1..365, 29 February never counted); n (0..365)
  uint8_t month, week, weekday;
  uint16_t day;
  int32_t seconds;  ///< after midnight, -167 h … 167 h
};

struct TimeZone {
  int32_t offset;      ///< seconds east of UTC in standard time
  int32_t dst_offset;  ///< the same in summer time
  bool has_dst;
  TimeZoneRule start, end;
};

/// Returns false unless the text is a complete POSIX TZ string. Summer time without rules changes on M3.2.0 and
/// M11.1.0.
bool parse_time_zone(const char* text, TimeZone* zone);
/// Seconds east of UTC at an instant.
int32_t utc_offset(const TimeZone& zone, int64_t utc);

}  // namespace hearth

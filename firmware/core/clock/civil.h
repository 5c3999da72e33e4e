// Civil time from seconds since 1970 (proleptic Gregorian calendar, no leap seconds).
#pragma once
#include <stdint.h>

namespace hearth {

struct CivilTime {
  int32_t year;
  uint8_t month;  ///< 1..12
  uint8_t day;    ///< 1..31
  uint8_t hour;
  uint8_t minute;
  uint8_t second;
  uint8_t weekday;  ///< 0 = Sunday
};

CivilTime civil_from_seconds(int64_t seconds);
int64_t days_from_civil(int32_t year, uint8_t month, uint8_t day);

}  // namespace hearth

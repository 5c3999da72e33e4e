#include "clock/civil.h"

namespace hearth {

// Days are counted in 400-year eras that begin on 1 March, as in H. Hinnant's "chrono-compatible low-level date
// algorithms".
int64_t days_from_civil(int32_t year, uint8_t month, uint8_t day) {
  const int64_t shifted = month <= 2 ? static_cast<int64_t>(year) - 1 : year;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  const int32_t of_era = static_cast<int32_t>(shifted - era * 400);
  const int32_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

CivilTime civil_from_seconds(int64_t seconds) {
  int64_t days = seconds / 86400;
  int32_t rest = static_cast<int32_t>(seconds % 86400);
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  CivilTime time;
  time.hour = static_cast<uint8_t>(rest / 3600);
  time.minute = static_cast<uint8_t>(rest / 60 % 60);
  time.second = static_cast<uint8_t>(rest % 60);
  const int32_t weekday = static_cast<int32_t>((days + 4) % 7);  // 1970-01-01 was a Thursday
  time.weekday = static_cast<uint8_t>(weekday < 0 ? weekday + 7 : weekday);
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int32_t of_era = static_cast<int32_t>(days - era * 146097);
  const int32_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int32_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int32_t part = (5 * of_year + 2) / 153;
  time.day = static_cast<uint8_t>(of_year - (153 * part + 2) / 5 + 1);
  time.month = static_cast<uint8_t>(part < 10 ? part + 3 : part - 9);
  time.year = static_cast<int32_t>(year_of_era + era * 400 + (time.month <= 2 ? 1 : 0));
  return time;
}

}  // namespace hearth

#include "clock/time_zone.h"

namespace hearth {
namespace {

constexpr int32_t kHour = 3600;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool number(const char** at, int32_t low, int32_t high, int32_t* value) {
  if (!is_digit(**at)) return false;
  int32_t result = 0;
  for (; is_digit(**at); (*at)++) {
    result = result * 10 + (**at - '0');
    if (result > high) return false;
  }
  *value = result;
  return result >= low;
}

/// At least three letters, or any alphanumeric name in angle brackets.
bool name(const char** at) {
  int count = 0;
  if (**at == '<') {
    (*at)++;
    for (; is_letter(**at) || is_digit(**at) || **at == '+' || **at == '-'; (*at)++) count++;
    if (**at != '>') return false;
    (*at)++;
    return count >= 3;
  }
  for (; is_letter(**at); (*at)++) count++;
  return count >= 3;
}

/// [+-]hh[:mm[:ss]]
bool time(const char** at, int32_t most_hours, int32_t* seconds) {
  const bool negative = **at == '-';
  if (**at == '-' || **at == '+') (*at)++;
  int32_t hours = 0;
  int32_t minutes = 0;
  int32_t rest = 0;
  if (!number(at, 0, most_hours, &hours)) return false;
  if (**at == ':') {
    (*at)++;
    if (!number(at, 0, 59, &minutes)) return false;
    if (**at == ':') {
      (*at)++;
      if (!number(at, 0, 59, &rest)) return false;
    }
  }
  *seconds = hours * kHour + minutes * 60 + rest;
  if (negative) *seconds = -*seconds;
  return true;
}

bool rule(const char** at, TimeZoneRule* result) {
  if (**at != ',') return false;
  (*at)++;
  int32_t value = 0;
  *result = TimeZoneRule{TimeZoneRule::DayOfYear, 0, 0, 0, 0, 2 * kHour};
  if (**at == 'M') {
    int32_t week = 0;
    int32_t weekday = 0;
    (*at)++;
    if (!number(at, 1, 12, &value) || *(*at)++ != '.' || !number(at, 1, 5, &week) || *(*at)++ != '.' ||
        !number(at, 0, 6, &weekday))
      return false;
    result->kind = TimeZoneRule::Month;
    result->month = static_cast<uint8_t>(value);
    result->week = static_cast<uint8_t>(week);
    result->weekday = static_cast<uint8_t>(weekday);
  } else {
    const bool julian = **at == 'J';
    if (julian) (*at)++;
    if (!number(at, julian ? 1 : 0, 365, &value)) return false;
    result->kind = julian ? TimeZoneRule::Julian : TimeZoneRule::DayOfYear;
    result->day = static_cast<uint16_t>(value);
  }
  if (**at != '/') return true;
  (*at)++;
  return time(at, 167, &result->seconds);
}

bool leap(int32_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/// Local time of the rule in a year, in seconds since 1970 as if it were UTC.
int64_t local_change(const TimeZoneRule& rule, int32_t year) {
  int64_t day;
  if (rule.kind == TimeZoneRule::Month) {
    const int64_t first = days_from_civil(year, rule.month, 1);
    const int32_t weekday = static_cast<int32_t>((first + 4) % 7);
    day = first + (rule.weekday - weekday + 7) % 7 + 7 * (rule.week - 1);
    const int64_t next_month = rule.month == 12 ? days_from_civil(year + 1, 1, 1)
                                                : days_from_civil(year, static_cast<uint8_t>(rule.month + 1), 1);
    while (day >= next_month) day -= 7;
  } else {
    day = days_from_civil(year, 1, 1) + rule.day;
    if (rule.kind == TimeZoneRule::Julian && !(leap(year) && rule.day >= 60)) day--;
  }
  return day * 86400 + rule.seconds;
}

}  // namespace

bool parse_time_zone(const char* text, TimeZone* zone) {
  TimeZone parsed{};
  int32_t west = 0;
  if (!name(&text) || !time(&text, 24, &west)) return false;
  parsed.offset = parsed.dst_offset = -west;
  if (*text != 0) {
    if (!name(&text)) return false;
    parsed.has_dst = true;
    parsed.dst_offset = parsed.offset + kHour;
    if (*text != 0 && *text != ',') {
      if (!time(&text, 24, &west)) return false;
      parsed.dst_offset = -west;
    }
    const char* rules = *text == 0 ? ",M3.2.0,M11.1.0" : text;
    if (!rule(&rules, &parsed.start) || !rule(&rules, &parsed.end) || *rules != 0) return false;
  }
  *zone = parsed;
  return true;
}

int32_t utc_offset(const TimeZone& zone, int64_t utc) {
  if (!zone.has_dst) return zone.offset;
  const int32_t year = civil_from_seconds(utc + zone.offset).year;
  const int64_t start = local_change(zone.start, year) - zone.offset;
  const int64_t end = local_change(zone.end, year) - zone.dst_offset;
  const bool summer = start < end ? utc >= start && utc < end : !(utc >= end && utc < start);
  return summer ? zone.dst_offset : zone.offset;
}

}  // namespace hearth

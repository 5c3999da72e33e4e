#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string.h>

#include "clock/night.h"
#include "clock/time_zone.h"
#include "quote/format.h"
#include "settings/settings.h"

using namespace hearth;

TEST_CASE("converts civil time") {
  for (int64_t day = -800000; day < 800000; day += 37) {
    const CivilTime time = civil_from_seconds(day * 86400 + 3661);
    CHECK(days_from_civil(time.year, time.month, time.day) == day);
    CHECK((time.hour == 1 && time.minute == 1 && time.second == 1));
  }
  const CivilTime leap = civil_from_seconds(1709164800);
  CHECK((leap.year == 2024 && leap.month == 2 && leap.day == 29 && leap.weekday == 4));
  const CivilTime before = civil_from_seconds(-1);
  CHECK((before.year == 1969 && before.month == 12 && before.day == 31 && before.hour == 23 && before.second == 59 &&
         before.weekday == 3));
}

TEST_CASE("applies time zones") {
  struct Case {
    const char* zone;
    int64_t utc;
    int32_t offset;
  };
  const Case cases[] = {
      {"UTC0", 0, 0},
      {"CET-1CEST,M3.5.0,M10.5.0/3", 1711846799, 3600},  // 2024-03-31 00:59:59 UTC
      {"CET-1CEST,M3.5.0,M10.5.0/3", 1711846800, 7200},
      {"CET-1CEST,M3.5.0,M10.5.0/3", 1729990799, 7200},  // 2024-10-27 00:59:59 UTC
      {"CET-1CEST,M3.5.0,M10.5.0/3", 1729990800, 3600},
      {"EST5EDT", 1710053999, -18000},  // 2024-03-10 06:59:59 UTC
      {"EST5EDT", 1710054000, -14400},
      {"EST5EDT,M3.2.0/2,M11.1.0/2", 1730613600, -18000},
      {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1704067200, 39600},  // January in Sydney
      {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1720000000, 36000},
      {"<+0330>-3:30", 1720000000, 12600},
      {"<-03>3", 1720000000, -10800},
      {"XXX-1YYY-3,J60/0,J300/0", 1709251200, 10800},  // 2024-03-01, J60 although a leap year
      {"XXX-1YYY-3,59/0,299/0", 1709161200, 10800},    // day 59 of a leap year is 29 February
      {"EST5EDT4,0/0,J365/25", 1720000000, -14400},    // summer time all year
      {"IST-1GMT0,M10.5.0,M3.5.0/1", 1704067200, 0},
      {"NZST-12NZDT,M9.5.0,M4.1.0/3", 1704067200, 46800},
  };
  for (const Case& one : cases) {
    CAPTURE(one.zone);
    CAPTURE(one.utc);
    TimeZone zone;
    REQUIRE(parse_time_zone(one.zone, &zone));
    CHECK(utc_offset(zone, one.utc) == one.offset);
  }
  for (const char* text : {"",
                           "CE-1",
                           "CET",
                           "CET-1CEST,",
                           "CET-1CEST,M3.5.0",
                           "CET-1CEST,M13.5.0,M10.5.0",
                           "CET-1CEST,M3.6.0,M10.5.0",
                           "CET-1CEST,M3.5.7,M10.5.0",
                           "CET-25",
                           "CET-1:60",
                           "CET-1:00:60",
                           "CET-1x",
                           "<+3>-3",
                           "<+03-3",
                           "CET-1CEST,J0,J5",
                           "CET-1CEST,366,5",
                           "CET-1CEST,M3.5.0/168,M10.5.0",
                           "CET-1CEST,M3.5.0,M10.5.0 ",
                           "CET-1CEST-25",
                           "CET-1CE",
                           "CET-1CEST;M3.5.0,M10.5.0",
                           "CET-1CEST,M3x5.0,M10.5.0",
                           "CET-1CEST,M3.5x0,M10.5.0",
                           "CET-1CEST,x,y",
                           "1-1"}) {
    CAPTURE(text);
    TimeZone zone;
    CHECK_FALSE(parse_time_zone(text, &zone));
  }
}

TEST_CASE("knows the night window") {
  CHECK((in_window(1320, 420, 1320) && in_window(1320, 420, 0) && in_window(1320, 420, 419)));
  CHECK_FALSE((in_window(1320, 420, 420) || in_window(1320, 420, 720) || in_window(600, 600, 600)));
  CHECK((in_window(60, 120, 60) && !in_window(60, 120, 120)));
  ClockSettings settings{};
  settings.night_enabled = true;
  settings.night_start = 1320;
  settings.night_end = 420;
  NightState state{};
  bool weekend = false;
  const auto step = [&](uint32_t now, uint16_t minute, uint32_t age, bool known = true) {
    return night_step(&state, settings, NightInput{now, known, minute, weekend, age});
  };
  CHECK(step(0, 1330, 0, false));  // no time yet: ask
  CHECK_FALSE(step(29999, 1330, 0, false));
  CHECK(step(30000, 1330, 300001));  // too old: hold, ask again every 30 s
  CHECK((state.held && !state.night));
  CHECK_FALSE(step(31000, 1330, 300001));
  CHECK_FALSE(step(40000, 1330, 300000));
  CHECK((state.night && !state.held));
  step(50000, 100, 9000000);  // latched although the clock grew old
  CHECK(state.night);
  step(60000, 420, 9000000);
  CHECK_FALSE((state.night || state.held));
  settings.weekend_start = 1400;
  settings.weekend_end = 600;
  weekend = true;
  step(61000, 500, 0);
  CHECK_FALSE(state.night);  // as on other days, until it has times of its own
  settings.weekend_own = true;
  step(62000, 500, 0);
  CHECK(state.night);
  step(63000, 600, 0);
  step(64000, 1330, 0);
  CHECK_FALSE(state.night);
  weekend = false;
  step(65000, 1330, 0);
  CHECK(state.night);
  settings.night_enabled = false;
  CHECK_FALSE(step(70000, 1330, 0));
  CHECK_FALSE(state.night);
}

TEST_CASE("takes the brightness from the night window, then the sensor, then the setting") {
  Settings settings;
  set_defaults(&settings, 0xabcd1234, true);
  CHECK(!strcmp(settings.hostname, "smalltv-1234"));
  settings.clock.night_level = 3;
  CHECK(backlight_level(settings, true, 50) == 3);
  CHECK(backlight_level(settings, false, 50) == 90);
  settings.auto_brightness = true;
  CHECK(backlight_level(settings, false, 50) == 50);
  CHECK(backlight_level(settings, false, 0) == 5);
  CHECK(backlight_level(settings, false, 120) == 100);
  CHECK(backlight_level(settings, false, 255) == 90);
  CHECK((!strcmp(range_name(Range::Max), "max") && !strcmp(source_name(Source::Github), "github")));
}

TEST_CASE("writes prices, changes, percents and ages as text") {
  char out[kFormatBytes];
  const auto price = [&](int64_t mantissa, int exponent) {
    format_price(Decimal{mantissa, static_cast<int8_t>(exponent)}, out);
    return std::string(out);
  };
  CHECK(price(0, 0) == "0.00");
  CHECK(price(123456789, -2) == "1'234'567.89");
  CHECK(price(1, 9) == "1'000'000'000.00");
  CHECK(price(-3763, -2) == "-37.63");
  CHECK(price(999995, -6) == "1.0000");
  CHECK(price(5, -1) == "0.5000");
  CHECK(price(123, -5) == "0.001230");
  CHECK(price(1, -9) == "0.000000");
  CHECK(price(100, 0) == "100.00");
  CHECK(price(1000, 0) == "1'000.00");
  CHECK(price(123456, 15) == "1.23e20");
  CHECK(price(-1, 20) == "-1.00e20");
  CHECK(price(9999, 15) == "1.00e19");
  const auto change = [&](int64_t mantissa, int exponent, uint8_t decimals) {
    format_change(Decimal{mantissa, static_cast<int8_t>(exponent)}, decimals, out);
    return std::string(out);
  };
  CHECK(change(125, -2, 2) == "+1.25");
  CHECK(change(-125, -2, 4) == "-1.2500");
  CHECK(change(4, -3, 2) == "0.00");
  CHECK(change(-4, -3, 2) == "0.00");
  CHECK(change(1, 18, 2) == "+1.00e18");
  CHECK(change(1500, 0, 0) == "+1'500");
  format_percent(-1234567, out);
  CHECK(std::string(out) == "-12'345.67%");
  format_percent(0, out);
  CHECK(std::string(out) == "0.00%");
  const auto age = [&](uint32_t seconds) {
    format_age(seconds, out);
    return std::string(out);
  };
  CHECK(age(59) == "59 s");
  CHECK(age(60) == "1 min");
  CHECK(age(7199) == "1 h");
  CHECK(age(200000) == "2 d");
  Quote quote{};
  const auto prefix = [&](const char* code) {
    strcpy(quote.currency, code);
    return std::string(currency_prefix(quote, out));
  };
  CHECK(prefix("USD") == "$");
  CHECK(prefix("EUR") == "€");
  CHECK(prefix("GBP") == "£");
  CHECK(prefix("JPY") == "¥");
  CHECK(prefix("CHF") == "CHF ");
  CHECK(prefix("") == "");
  quote.currency_is_prefix = true;
  CHECK(prefix("CHF") == "CHF");
}

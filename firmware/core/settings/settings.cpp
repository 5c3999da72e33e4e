#include "settings/settings.h"

#include <string.h>

#include "settings/fields.h"

namespace hearth {

void set_defaults(Settings* settings, uint32_t chip_number, bool backlight_inverted) {
  memset(settings, 0, sizeof *settings);
  memcpy(settings->hostname, "smalltv-", 8);
  memcpy(settings->ap_ssid, "SmallTV-Setup-", 14);
  for (int i = 0; i < 4; i++)
    settings->hostname[8 + i] = settings->ap_ssid[14 + i] = "0123456789abcdef"[(chip_number >> (12 - 4 * i)) & 15];
  settings->carousel_s = 30;
  settings->http_timeout_ms = 8000;
  settings->brightness = 90;
  settings->backlight_inverted = backlight_inverted;
  TickerSettings& ticker = settings->ticker;
  ticker.points = 48;
  ticker.poll_s = 120;
  ticker.rotate_s = 10;
  ticker.show_name = ticker.show_price = ticker.show_change = ticker.show_chart = true;
  ticker.show_range_label = ticker.show_page_dots = ticker.show_portfolio = true;
  ticker.show_market = true;
  ticker.range_bar = RangeBar::Day;
  memcpy(settings->clock.tz, "UTC", 4);
  memcpy(settings->clock.tz_posix, "UTC0", 5);
  settings->clock.night_start = 22 * 60;
  settings->clock.night_end = 7 * 60;
  settings->clock.weekend_start = 23 * 60;
  settings->clock.weekend_end = 9 * 60;
  settings->display.red_gain = settings->display.green_gain = settings->display.blue_gain = 100;
  memcpy(settings->auth.user, "admin", 6);
}

Range row_range(const TickerSettings& ticker, const Row& row) {
  return row.own_range == 0 ? ticker.range : static_cast<Range>(row.own_range - 1);
}

uint16_t row_poll_s(const TickerSettings& ticker, const Row& row) {
  return row.poll_s == 0 ? ticker.poll_s : row.poll_s;
}

const char* range_name(Range range) { return kRangeNames[static_cast<uint8_t>(range)]; }

const char* source_name(Source source) { return kSourceNames[static_cast<uint8_t>(source)]; }

}  // namespace hearth

// All settings of the device with their limits, shared by the file, the web form, the serial channel and the screens.
// The limits are in fields.cpp.
#pragma once
#include "quote/decimal.h"
#include "quote/quote.h"

namespace hearth {

constexpr uint8_t kMaxSymbols = 8;
constexpr uint8_t kMaxNetworks = 4;
constexpr size_t kSymbolBytes = 32;  ///< 23 characters, at most 31 bytes of UTF-8
constexpr size_t kSsidBytes = 33;
constexpr size_t kPassBytes = 65;
constexpr size_t kRepoBytes = 101;  ///< "owner/name" on GitHub
constexpr size_t kUrlBytes = 201;   ///< webhook address, 8..200

enum class Source : uint8_t { Webhook = 0, Yahoo = 1, Cash = 2, Github = 3 };
enum class Mode : uint8_t { Stocks, Clock, Carousel };
enum class Language : uint8_t { English, German };
/// Where the price stands, as a mark on a line: in the day, or in the last 52 weeks.
enum class RangeBar : uint8_t { Off, Day, Year };
enum class ColorOrder : uint8_t { Auto, Rgb, Bgr };
enum class Range : uint8_t { D1, D5, Mo1, Mo3, Mo6, Ytd, Y1, Y2, Y5, Max };

struct Network {
  char ssid[kSsidBytes];
  char pass[kPassBytes];
};

struct Row {
  char symbol[kSymbolBytes];
  char name[kNameBytes];  ///< the user's own, "" = the source's
  Source source;
  uint8_t own_range;  ///< 0 = as all rows, otherwise 1 + Range
  uint16_t poll_s;    ///< 0 = as all rows, otherwise 10..3600
  Decimal quantity;   ///< >= 0
  Decimal cost;       ///< per unit, >= 0
  Decimal above;      ///< alert from this price on; zero = none
  Decimal below;      ///< alert from this price down; zero = none
};

struct TickerSettings {
  char webhook_url[kUrlBytes];
  char repo[kRepoBytes];  ///< whose branch `data` holds published quotes; "" = the repository of the build
  Range range;
  uint8_t points;        ///< 0..60
  uint16_t poll_s;       ///< 10..3600
  uint16_t rotate_s;     ///< 2..3600
  bool color_inverted;   ///< red is up
  bool change_on_range;  ///< change over the charted span instead of the previous close
  bool show_name, show_price, show_change, show_chart, show_range_label, show_page_dots, show_portfolio,
      show_updated_ago;
  bool show_market;     ///< whether the market is open, and when the last trade was
  bool extended_hours;  ///< the price before and after the regular hours
  RangeBar range_bar;
  bool watchlist;   ///< a page with all rows
  bool show_clock;  ///< the time beside the name
  uint8_t row_count;
  Row rows[kMaxSymbols];
};

struct ClockSettings {
  char tz[40];        ///< IANA name, only for the form
  char tz_posix[48];  ///< POSIX TZ string
  bool night_enabled;
  uint16_t night_start;  ///< minutes after midnight
  uint16_t night_end;
  uint8_t night_level;  ///< 0..100, 0 = off
  bool night_clock;     ///< only the time, in red
  bool weekend_own;     ///< other times on Saturday and Sunday
  uint16_t weekend_start;
  uint16_t weekend_end;
  bool hours12;
};

struct DisplaySettings {
  ColorOrder color_order;
  bool invert;
  uint8_t red_gain, green_gain, blue_gain;  ///< 50..150 percent
};

struct AuthSettings {
  bool enabled;
  char user[32];
  char pass[64];
};

struct Settings {
  char hostname[33];
  uint8_t network_count;
  Network networks[kMaxNetworks];
  char ap_ssid[kSsidBytes];
  char ap_pass[kPassBytes];
  Mode mode;
  uint16_t carousel_s;       ///< 5..3600
  uint16_t http_timeout_ms;  ///< 1000..20000
  uint8_t brightness;        ///< 0..100
  bool auto_brightness;
  bool backlight_inverted;
  uint8_t rotation;   ///< 0..3
  Language language;  ///< of the screen
  TickerSettings ticker;
  ClockSettings clock;
  DisplaySettings display;
  AuthSettings auth;
};

/// Sets the default values; the host name is "smalltv-" and four hex digits of `chip_number`, which also end the name
/// of the setup network.
void set_defaults(Settings* settings, uint32_t chip_number, bool backlight_inverted);

/// Time frame and interval of a row: its own, or those of all rows.
Range row_range(const TickerSettings& ticker, const Row& row);
uint16_t row_poll_s(const TickerSettings& ticker, const Row& row);

/// "1d" … "max".
const char* range_name(Range range);
const char* source_name(Source source);

}  // namespace hearth

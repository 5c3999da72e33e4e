#include "settings/fields.h"

namespace hearth {
namespace {

const char* const kModes[] = {"stocks", "clock", "carousel"};
const char* const kOrders[] = {"auto", "rgb", "bgr"};
const char* const kLanguages[] = {"en", "de"};
const char* const kRangeBars[] = {"off", "day", "52w"};
const char kFlag[] = "must be true or false";
const char kTime[] = "must be a time as HH:MM";

}  // namespace

const char* const kRangeNames[10] = {"1d", "5d", "1mo", "3mo", "6mo", "ytd", "1y", "2y", "5y", "max"};
const char* const kSourceNames[4] = {"webhook", "yahoo", "cash", "github"};

#define AT(member) static_cast<uint16_t>(offsetof(Settings, member))
#define FLAG(section, key, member) \
  { section, key, FieldKind::Flag, AT(member), 0, 1, nullptr, kFlag }

const Field kFields[] = {
    {"", "hostname", FieldKind::Host, AT(hostname), 32, sizeof(Settings::hostname), nullptr,
     "must be 1 to 32 letters, digits or hyphens, without a hyphen at either end"},
    {"", "apSsid", FieldKind::Text, AT(ap_ssid), 32, kSsidBytes, nullptr, "must be a text of 1 to 32 bytes"},
    // Of 64 bytes, a radio would take it for a key in hex.
    {"", "apPass", FieldKind::Secret, AT(ap_pass), 63, kPassBytes - 1, nullptr,
     "must be empty or a text of at least 8 characters and at most 63 bytes"},
    {"", "mode", FieldKind::Choice, AT(mode), 3, 0, kModes, "must be stocks, clock or carousel"},
    {"", "carouselSec", FieldKind::Word, AT(carousel_s), 5, 3600, nullptr, "must be a whole number from 5 to 3600"},
    {"", "httpTimeout", FieldKind::Word, AT(http_timeout_ms), 1000, 20000, nullptr,
     "must be a whole number from 1000 to 20000"},
    {"", "brightness", FieldKind::Byte, AT(brightness), 0, 100, nullptr, "must be a whole number from 0 to 100"},
    FLAG("", "autoBrightness", auto_brightness),
    FLAG("", "backlightInverted", backlight_inverted),
    {"", "rotation", FieldKind::Byte, AT(rotation), 0, 3, nullptr, "must be 0, 1, 2 or 3"},
    {"", "language", FieldKind::Choice, AT(language), 2, 0, kLanguages, "must be en or de"},
    {"ticker", "webhookUrl", FieldKind::Address, AT(ticker.webhook_url), 200, kUrlBytes, nullptr,
     "must be empty or an http or https address of 8 to 200 characters"},
    {"ticker", "repo", FieldKind::Repo, AT(ticker.repo), 100, kRepoBytes, nullptr,
     "must be empty or owner/name of a repository on GitHub, at most 100 characters"},
    {"ticker", "range", FieldKind::Choice, AT(ticker.range), 10, 0, kRangeNames,
     "must be 1d, 5d, 1mo, 3mo, 6mo, ytd, 1y, 2y, 5y or max"},
    {"ticker", "points", FieldKind::Byte, AT(ticker.points), 0, 60, nullptr, "must be a whole number from 0 to 60"},
    {"ticker", "pollSec", FieldKind::Word, AT(ticker.poll_s), 10, 3600, nullptr,
     "must be a whole number from 10 to 3600"},
    {"ticker", "rotateSec", FieldKind::Word, AT(ticker.rotate_s), 2, 3600, nullptr,
     "must be a whole number from 2 to 3600"},
    FLAG("ticker", "colorInverted", ticker.color_inverted),
    FLAG("ticker", "changeOnRange", ticker.change_on_range),
    FLAG("ticker", "showName", ticker.show_name),
    FLAG("ticker", "showPrice", ticker.show_price),
    FLAG("ticker", "showChange", ticker.show_change),
    FLAG("ticker", "showChart", ticker.show_chart),
    FLAG("ticker", "showRangeLabel", ticker.show_range_label),
    FLAG("ticker", "showPageDots", ticker.show_page_dots),
    FLAG("ticker", "showPortfolio", ticker.show_portfolio),
    FLAG("ticker", "showUpdatedAgo", ticker.show_updated_ago),
    FLAG("ticker", "showMarket", ticker.show_market),
    FLAG("ticker", "extendedHours", ticker.extended_hours),
    {"ticker", "rangeBar", FieldKind::Choice, AT(ticker.range_bar), 3, 0, kRangeBars, "must be off, day or 52w"},
    FLAG("ticker", "watchlist", ticker.watchlist),
    FLAG("ticker", "showClock", ticker.show_clock),
    {"clock", "tz", FieldKind::Text, AT(clock.tz), 39, sizeof(ClockSettings::tz), nullptr,
     "must be the name of a time zone of at most 39 characters"},
    {"clock", "tzPosix", FieldKind::Zone, AT(clock.tz_posix), 47, sizeof(ClockSettings::tz_posix), nullptr,
     "must be a POSIX TZ string such as CET-1CEST,M3.5.0,M10.5.0/3"},
    FLAG("clock", "nightEnabled", clock.night_enabled),
    {"clock", "nightStart", FieldKind::Minutes, AT(clock.night_start), 0, 0, nullptr, kTime},
    {"clock", "nightEnd", FieldKind::Minutes, AT(clock.night_end), 0, 0, nullptr, kTime},
    {"clock", "nightLevel", FieldKind::Byte, AT(clock.night_level), 0, 100, nullptr,
     "must be a whole number from 0 to 100"},
    FLAG("clock", "nightClock", clock.night_clock),
    FLAG("clock", "weekendOwn", clock.weekend_own),
    {"clock", "weekendStart", FieldKind::Minutes, AT(clock.weekend_start), 0, 0, nullptr, kTime},
    {"clock", "weekendEnd", FieldKind::Minutes, AT(clock.weekend_end), 0, 0, nullptr, kTime},
    FLAG("clock", "hours12", clock.hours12),
    {"display", "colorOrder", FieldKind::Choice, AT(display.color_order), 3, 0, kOrders, "must be auto, rgb or bgr"},
    FLAG("display", "invert", display.invert),
    {"display", "rGain", FieldKind::Byte, AT(display.red_gain), 50, 150, nullptr,
     "must be a whole number from 50 to 150"},
    {"display", "gGain", FieldKind::Byte, AT(display.green_gain), 50, 150, nullptr,
     "must be a whole number from 50 to 150"},
    {"display", "bGain", FieldKind::Byte, AT(display.blue_gain), 50, 150, nullptr,
     "must be a whole number from 50 to 150"},
    FLAG("auth", "enabled", auth.enabled),
    {"auth", "user", FieldKind::Text, AT(auth.user), 31, sizeof(AuthSettings::user), nullptr,
     "must be a text of 1 to 31 characters"},
    {"auth", "pass", FieldKind::KeptSecret, AT(auth.pass), 63, sizeof(AuthSettings::pass), nullptr,
     "must be a text of 8 to 63 characters"},
};
const uint8_t kFieldCount = sizeof kFields / sizeof kFields[0];

#undef AT
#undef FLAG

}  // namespace hearth

// The pages. Each is always drawn completely and identically for the same view.
#pragma once
#include "app/view.h"
#include "screen/canvas.h"
#include "text/format.h"

namespace hearth {

void draw_page(Canvas& canvas, const View& view);

void draw_ticker(Canvas& canvas, const View& view);
void draw_portfolio(Canvas& canvas, const View& view);
void draw_clock(Canvas& canvas, const View& view);
void draw_watchlist(Canvas& canvas, const View& view);
void draw_setup(Canvas& canvas, const View& view);
/// Boot, joined, no symbols, no network, update, safe mode.
void draw_notice(Canvas& canvas, const View& view);

/// A code for phones, centred, dark on white, with the four free modules around it that the standard asks for.
void draw_code(Canvas& canvas, const QrCode& code, int top, int most);

/// One of both texts, in the language of the screen.
inline const char* say(const View& view, const char* english, const char* german) {
  return view.settings->language == Language::German ? german : english;
}
/// "17:42", or "5:42 pm".
void add_time(TextBuilder* text, uint8_t hour, uint8_t minute, const ClockSettings& settings);
/// "Fri" or "Fr".
const char* short_weekday(const View& view, uint8_t weekday);

/// The page bar at the top; returns the first free row.
int draw_page_bar(Canvas& canvas, const View& view);

/// The title of a row: the user's name, the source's name, or the symbol.
const char* row_name(const Row& row, const Quote& quote);

/// The change according to the settings. `known` is false if there is none.
struct Trend {
  bool known;
  Decimal change;
  int32_t percent;
};
Trend shown_trend(const TickerSettings& settings, const Quote& quote);
/// Whether the price has reached one of the row's alerts: 1 the upper, -1 the lower, 0 none.
int alert_of(const Row& row, const Quote& quote);
/// Color for a rise, a fall or no change, according to the user's settings.
Color trend_color(const TickerSettings& settings, int direction);
inline int direction_of(Decimal value) { return is_zero(value) ? 0 : is_negative(value) ? -1 : 1; }

}  // namespace hearth

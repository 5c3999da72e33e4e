// One symbol: name, price, change, position, chart, and the age of the price or the reason why it is missing.
#include <string.h>

#include "screen/layout.h"
#include "screen/pages.h"
#include "screen/price.h"
#include "screen/reason.h"

namespace hearth {
namespace {

constexpr Face kHeadings[] = {Face::Large, Face::Medium, Face::Small};

constexpr int64_t kWholeFrom = 10000;  // amounts without cents

struct Page {
  Canvas& canvas;
  const View& view;
  const TickerSettings& settings;
  const Row& row;
  const Quote& quote;
  bool stale;
};

constexpr int kHeadingHeight = 28, kSymbolHeight = 19, kPriceHeight = 60, kChangeHeight = 28, kPositionHeight = 21,
              kFooterHeight = 21, kRangeHeight = 17;

HEARTH_OWN_FRAME void draw_heading(const Page& page, int top, const char* name) {
  constexpr int kGap = 8, kAlert = 16;
  int room = kInside;
  if (page.settings.show_clock && page.view.time_known) {
    TextBuilder time;
    add_time(&time, page.view.time.hour, page.view.time.minute, page.view.settings->clock);
    text_right(page.canvas, kRight, top + 22, Face::Small, palette::kQuiet, time.text());
    room -= text_width(Face::Small, time.text()) + kGap;
  }
  const Face face = fitting_face(name, room, kHeadings, 3);
  const int alert = alert_of(page.row, page.quote);
  int x = kEdge;
  if (alert != 0) {
    page.canvas.arrow(x, top + 21, kAlert, alert > 0, palette::kAmber);
    x += kAlert + 6;
  }
  text_cut(page.canvas, x, top + 22, room - (x - kEdge), face, alert == 0 ? palette::kText : palette::kAmber, name);
}

/// "Closed · Fri 17:30": the state of the market, and when the last trade was if it isn't open.
void add_market(TextBuilder* text, const Page& page) {
  const Quote& quote = page.quote;
  if (quote.market == Market::Before) text->add(say(page.view, "Pre-market", "Vorbörse"));
  if (quote.market == Market::After) text->add(say(page.view, "After hours", "Nachbörse"));
  if (quote.market != Market::Closed) return;
  text->add(say(page.view, "Closed", "Zu"));
  if (quote.traded_s == 0) return;
  const CivilTime traded = civil_from_seconds(quote.traded_s);
  text->add(" · ").add(short_weekday(page.view, traded.weekday)).add(" ");
  add_time(text, traded.hour, traded.minute, page.view.settings->clock);
}

/// Symbol on the left with a dot for the market; on the right the label of the charted span, or that the market is not
/// open.
HEARTH_OWN_FRAME void draw_symbol_line(const Page& page, int top, bool symbol) {
  constexpr int kDot = 6, kGap = 6;
  const char* label = page.quote.range[0] ? page.quote.range : range_name(page.settings.range);
  TextBuilder right;
  const bool known = page.settings.show_market && page.quote.state != QuoteState::Empty;
  const Market market = known ? page.quote.market : Market::Unknown;
  if (known) add_market(&right, page);
  for (const char* at =
           right.size() == 0 && page.settings.show_range_label && page.quote.state != QuoteState::Empty ? label : "";
       *at; ++at) {
    const char one[2] = {*at >= 'a' && *at <= 'z' ? static_cast<char>(*at - 32) : *at, 0};
    right.add(one);
  }
  int left = kEdge;
  if (market != Market::Unknown) {
    const Color color = market == Market::Open     ? palette::kGreen
                        : market == Market::Closed ? palette::kQuiet
                                                   : palette::kBlue;
    page.canvas.pill({left, top + 7, kDot, kDot}, 3, color);
    left += kDot + kGap;
  }
  const int width = text_width(Face::Small, right.text());
  text_right(page.canvas, kRight, top + 15, Face::Small, palette::kQuiet, right.text());
  text_cut(page.canvas, left, top + 15, kRight - left - 8 - width, Face::Small, palette::kQuiet,
           symbol ? page.row.symbol : "");
}

/// The price outside the regular hours and its distance from the last regular one.
HEARTH_OWN_FRAME void draw_extended(const Page& page, int top) {
  TextBuilder price, percent;
  const bool before = page.quote.market == Market::Before;
  price.add(before ? say(page.view, "Pre ", "Vor ") : say(page.view, "After ", "Nach "));
  add_decimal(&price, page.quote.extended, shown_decimals(page.quote.extended, page.row.symbol), Sign::Minus);
  add_percent(&percent, page.quote.extended_percent);
  const int direction = page.quote.extended_percent > 0 ? 1 : page.quote.extended_percent < 0 ? -1 : 0;
  text_pair(page.canvas, top + 15, Face::Small, palette::kText, price.text(),
            page.stale ? palette::kQuiet : trend_color(page.settings, direction), percent.text());
}

uint8_t place_of(const Page& page) {
  return page.settings.range_bar == RangeBar::Day    ? page.quote.day_place
         : page.settings.range_bar == RangeBar::Year ? page.quote.year_place
                                                     : uint8_t{0};
}

/// Where the price is between low and high.
HEARTH_OWN_FRAME void draw_range(const Page& page, int top) {
  constexpr int kTrack = 4, kMark = 8, kGap = 10;
  const bool day = page.settings.range_bar == RangeBar::Day;
  const int left = kEdge + kGap +
                   page.canvas.text(kEdge, top + 12, Face::Small, palette::kQuiet,
                                    day ? say(page.view, "Day", "Tag") : say(page.view, "52 wk", "52 W"));
  const int width = kRight - left;
  page.canvas.pill({left, top + 5, width, kTrack}, 2, palette::kFaint);
  const int x = left + (width - kMark) * (place_of(page) - 1) / 100;
  page.canvas.pill({x, top + 3, kMark, kMark}, 4, page.stale ? palette::kQuiet : palette::kWhite);
}

HEARTH_OWN_FRAME void draw_change(const Page& page, int top, const Trend& trend) {
  constexpr int kArrow = 18, kGap = 8;
  const int direction = direction_of(trend.change);
  const Color color = page.stale ? palette::kQuiet : trend_color(page.settings, direction);
  TextBuilder percent, change;
  add_percent(&percent, trend.percent);
  add_amount(&change, trend.change, shown_decimals(page.quote.price, page.row.symbol), kWholeFrom, Sign::Both);
  int x = kEdge;
  const int baseline = top + 22;
  if (direction != 0) {
    page.canvas.arrow(x, baseline - 1, kArrow, direction > 0, color);
    x += kArrow + 7;
  }
  const int room = kRight - x - kGap;
  const Face faces[][2] = {{Face::Large, Face::Medium},
                           {Face::Medium, Face::Medium},
                           {Face::Medium, Face::Small},
                           {Face::Small, Face::Small}};
  for (const Face(&pair)[2] : faces) {
    if (text_width(pair[0], percent.text()) + text_width(pair[1], change.text()) > room && pair[0] != Face::Small)
      continue;
    x += page.canvas.text(x, baseline, pair[0], color, percent.text());
    const int width = text_width(pair[1], change.text());
    if (width <= kRight - x - kGap)
      page.canvas.text(kRight - width, baseline, pair[1], mix(palette::kBlack, color, 26), change.text());
    return;
  }
}

/// "12 ×", "+1’234.50  +4.20%": the position and its gain.
HEARTH_OWN_FRAME void draw_position(const Page& page, int top) {
  constexpr int kGap = 8;
  TextBuilder left, right;
  add_decimal(&left, page.row.quantity, most_decimals(page.row.quantity), Sign::Minus);
  left.add(" × ");
  Decimal gain, value;
  int32_t percent = 0;
  Color color = palette::kText;
  if (is_zero(page.row.cost)) {
    if (!multiply(page.quote.price, page.row.quantity, &value)) return;
    add_currency(&right, page.quote);
    right.add(" ");
    add_amount(&right, value, 2, kWholeFrom, Sign::Minus);
  } else {
    if (!subtract(page.quote.price, page.row.cost, &gain) || !multiply(gain, page.row.quantity, &value)) return;
    if (!page.stale) color = trend_color(page.settings, direction_of(value));
    add_amount(&right, value, 2, kWholeFrom, Sign::Both);
    TextBuilder both = right;
    if (percent_change(page.quote.price, page.row.cost, &percent)) add_percent(&both.add("  "), percent);
    if (text_width(Face::Small, left.text()) + text_width(Face::Small, both.text()) + kGap <= kInside) right = both;
  }
  text_pair(page.canvas, top + 15, Face::Small, palette::kQuiet, left.text(), color, right.text());
}

HEARTH_OWN_FRAME void draw_footer(const Page& page, bool failed) {
  constexpr int kBaseline = 234;
  TextBuilder age;
  add_age(&age, page.quote.age_s);
  if (!failed) {
    TextBuilder since;
    since.add(say(page.view, "", "vor ")).add(age.text()).add(say(page.view, " ago", ""));
    text_right(page.canvas, kRight, kBaseline, Face::Small, palette::kQuiet, since.text());
    return;
  }
  TextBuilder reason;
  if (page.quote.reason == Reason::None)
    reason.add(say(page.view, "Out of date", "Veraltet"));
  else
    add_reason(&reason, page.view, page.quote);
  const int width = text_width(Face::Small, age.text());
  page.canvas.pill({kEdge, kBaseline - 10, 9, 9}, 4, palette::kAmber);
  text_cut(page.canvas, kEdge + 15, kBaseline, kInside - width - 25, Face::Small, palette::kAmber, reason.text());
  text_right(page.canvas, kRight, kBaseline, Face::Small, palette::kQuiet, age.text());
}

/// Without a price: the reason in large text, and what to do.
HEARTH_OWN_FRAME void draw_missing(const Page& page, int top) {
  TextBuilder reason;
  add_reason(&reason, page.view, page.quote);
  const bool waiting = waits(page.quote);
  const Color color = waiting ? palette::kText : palette::kAmber;
  int y = top + (kSide - top) / 2 - 30;
  if (!waiting) page.canvas.pill({kEdge, y - 34, 34, 5}, 2, palette::kAmber);
  text_cut(page.canvas, kEdge, y, kInside, fitting_face(reason.text(), kInside, kHeadings, 3), color, reason.text());
  y += 30;
  text_wrapped(page.canvas, y, 3, Face::Small, palette::kQuiet, Align::Left,
               reason_hint(page.view, page.quote.reason, page.row.source));
}

}  // namespace

void draw_ticker(Canvas& canvas, const View& view) {
  const TickerSettings& settings = view.settings->ticker;
  const Row& row = settings.rows[view.index];
  const Quote& quote = view.quotes[view.index];
  const Page page = {canvas, view, settings, row, quote, quote.state == QuoteState::Stale};
  const char* name = row_name(row, quote);
  const bool missing = quote.state == QuoteState::Empty;
  int top = draw_page_bar(canvas, view);
  const bool heading = settings.show_name || missing;
  const bool symbol = heading && strcmp(name, row.symbol) != 0;
  const bool symbol_line =
      symbol || (!missing && (settings.show_range_label || (settings.show_market && quote.market != Market::Unknown)));
  if (missing) {
    draw_heading(page, top, name);
    if (symbol) draw_symbol_line(page, top + kHeadingHeight, true);
    return draw_missing(page, top + kHeadingHeight + kSymbolHeight);
  }
  const Trend trend = shown_trend(settings, quote);
  const bool change = settings.show_change && trend.known;
  const bool position = !is_zero(row.quantity);
  const bool extended = !is_zero(quote.extended);
  const bool range = place_of(page) != 0;
  const bool chart = settings.show_chart && quote.spark.count >= 2;
  const bool footer = page.stale || settings.show_updated_ago;
  const int used = (heading ? kHeadingHeight : 0) + (symbol_line ? kSymbolHeight : 0) +
                   (settings.show_price ? kPriceHeight : 0) + (change ? kChangeHeight : 0) +
                   (position ? kPositionHeight : 0) + (extended ? kPositionHeight : 0) + (range ? kRangeHeight : 0);
  const int bottom = footer ? kSide - kFooterHeight : kSide - 6;
  const int spare = chart ? 0 : (bottom - top - used) / 4;
  top += spare / 2;
  if (heading) draw_heading(page, top, name), top += kHeadingHeight;
  if (symbol_line) draw_symbol_line(page, top, symbol), top += kSymbolHeight;
  top += spare;
  if (settings.show_price)
    draw_price(canvas, {kEdge, top - spare / 2, kInside, kPriceHeight + spare / 2 * 2}, quote, row.symbol, page.stale,
               trend_color(settings, compare(quote.price, quote.before))),
        top += kPriceHeight;
  top += spare;
  if (change) draw_change(page, top, trend), top += kChangeHeight;
  if (extended) draw_extended(page, top), top += kPositionHeight;
  if (range) draw_range(page, top), top += kRangeHeight;
  if (position) draw_position(page, top), top += kPositionHeight;
  if (footer) draw_footer(page, page.stale);
  if (chart) {
    const Color color =
        page.stale ? palette::kQuiet : trend_color(settings, trend.known ? direction_of(trend.change) : 0);
    draw_chart(canvas, {kEdge, top + 9, kInside, bottom - top - 9}, settings, quote, color);
  }
}

}  // namespace hearth

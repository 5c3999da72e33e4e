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
              kFooterHeight = 21;

void draw_heading(const Page& page, int top, const char* name) {
  const Face face = fitting_face(name, kInside, kHeadings, 3);
  text_cut(page.canvas, kEdge, top + 22, kInside, face, palette::kText, name);
}

/// Symbol on the left, label of the charted span on the right.
void draw_symbol_line(const Page& page, int top, bool symbol) {
  const char* label = page.quote.range[0] ? page.quote.range : range_name(page.settings.range);
  TextBuilder upper;
  for (const char* at = page.settings.show_range_label && page.quote.state != QuoteState::Empty ? label : ""; *at;
       ++at) {
    const char one[2] = {*at >= 'a' && *at <= 'z' ? static_cast<char>(*at - 32) : *at, 0};
    upper.add(one);
  }
  text_pair(page.canvas, top + 15, Face::Small, palette::kQuiet, symbol ? page.row.symbol : "", palette::kQuiet,
            upper.text());
}

void draw_change(const Page& page, int top, const Trend& trend) {
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
void draw_position(const Page& page, int top) {
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

void draw_footer(const Page& page, bool failed) {
  constexpr int kBaseline = 234;
  TextBuilder age;
  add_age(&age, page.quote.age_s);
  if (!failed) {
    text_right(page.canvas, kRight, kBaseline, Face::Small, palette::kQuiet, age.add(" ago").text());
    return;
  }
  TextBuilder reason;
  if (page.quote.reason == Reason::None)
    reason.add("Out of date");
  else
    add_reason(&reason, page.quote);
  const int width = text_width(Face::Small, age.text());
  page.canvas.pill({kEdge, kBaseline - 10, 9, 9}, 4, palette::kAmber);
  text_cut(page.canvas, kEdge + 15, kBaseline, kInside - width - 25, Face::Small, palette::kAmber, reason.text());
  text_right(page.canvas, kRight, kBaseline, Face::Small, palette::kQuiet, age.text());
}

/// Without a price: the reason in large text, and what to do.
void draw_missing(const Page& page, int top) {
  TextBuilder reason;
  add_reason(&reason, page.quote);
  const bool waiting = waits(page.quote);
  const Color color = waiting ? palette::kText : palette::kAmber;
  int y = top + (kSide - top) / 2 - 30;
  if (!waiting) page.canvas.pill({kEdge, y - 34, 34, 5}, 2, palette::kAmber);
  text_cut(page.canvas, kEdge, y, kInside, fitting_face(reason.text(), kInside, kHeadings, 3), color, reason.text());
  y += 30;
  text_wrapped(page.canvas, y, 3, Face::Small, palette::kQuiet, Align::Left,
               reason_hint(page.quote.reason, page.row.source));
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
  const bool symbol_line = symbol || (settings.show_range_label && !missing);
  if (missing) {
    draw_heading(page, top, name);
    if (symbol) draw_symbol_line(page, top + kHeadingHeight, true);
    return draw_missing(page, top + kHeadingHeight + kSymbolHeight);
  }
  const Trend trend = shown_trend(settings, quote);
  const bool change = settings.show_change && trend.known;
  const bool position = !is_zero(row.quantity);
  const bool chart = settings.show_chart && quote.spark.count >= 2;
  const bool footer = page.stale || settings.show_updated_ago;
  const int used = (heading ? kHeadingHeight : 0) + (symbol_line ? kSymbolHeight : 0) +
                   (settings.show_price ? kPriceHeight : 0) + (change ? kChangeHeight : 0) +
                   (position ? kPositionHeight : 0);
  const int bottom = footer ? kSide - kFooterHeight : kSide - 6;
  const int spare = chart ? 0 : (bottom - top - used) / 4;
  top += spare / 2;
  if (heading) draw_heading(page, top, name), top += kHeadingHeight;
  if (symbol_line) draw_symbol_line(page, top, symbol), top += kSymbolHeight;
  top += spare;
  if (settings.show_price)
    draw_price(canvas, {kEdge, top, kInside, kPriceHeight}, quote, row.symbol, page.stale), top += kPriceHeight;
  top += spare;
  if (change) draw_change(page, top, trend), top += kChangeHeight;
  if (position) draw_position(page, top), top += kPositionHeight;
  if (footer) draw_footer(page, page.stale);
  if (chart) {
    const Color color =
        page.stale ? palette::kQuiet : trend_color(settings, trend.known ? direction_of(trend.change) : 0);
    draw_chart(canvas, {kEdge, top + 9, kInside, bottom - top - 9}, settings, quote, color);
  }
}

}  // namespace hearth

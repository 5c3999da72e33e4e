// All rows with a quantity, and the totals for each currency.
#include <string.h>

#include "screen/layout.h"
#include "screen/pages.h"
#include "screen/price.h"
#include "screen/reason.h"

namespace hearth {
namespace {

constexpr int kMostTotals = 3;
constexpr int64_t kWholeFrom = 10000, kTightWholeFrom = 1000;  // amounts without cents

struct Total {
  const Quote* currency;  ///< a quote of it
  Decimal value;
  Decimal cost;
  bool has_cost;  ///< of every row
  bool stale;
};

struct Holding {
  bool priced;
  Decimal value;
  bool has_gain;
  int32_t percent;
};

Holding holding_of(const Row& row, const Quote& quote) {
  Holding holding = {false, {0, 0}, false, 0};
  if (quote.state == QuoteState::Empty || !multiply(quote.price, row.quantity, &holding.value)) return holding;
  holding.priced = true;
  holding.has_gain = !is_zero(row.cost) && percent_change(quote.price, row.cost, &holding.percent);
  return holding;
}

/// Adds to the total of its currency; returns false if there are more currencies than lines.
bool add_to(Total* totals, int* count, const Row& row, const Quote& quote, Decimal value) {
  Total* total = nullptr;
  for (int k = 0; k < *count; ++k) {
    if (strcmp(totals[k].currency->currency, quote.currency) == 0) total = &totals[k];
  }
  if (!total) {
    if (*count == kMostTotals) return false;
    total = &totals[(*count)++];
    *total = {&quote, {0, 0}, {0, 0}, true, false};
  }
  Decimal cost;
  total->stale = total->stale || quote.state == QuoteState::Stale;
  total->has_cost = total->has_cost && !is_zero(row.cost) && multiply(row.cost, row.quantity, &cost) &&
                    add(total->cost, cost, &total->cost);
  return add(total->value, value, &total->value);
}

/// What the two forms of a row share.
struct Line {
  Canvas& canvas;
  const View& view;
  const Row& row;
  const Quote& quote;
  Holding holding;
  Color color, trend;
};

Color color_of(const TickerSettings& settings, bool stale, int32_t percent) {
  return stale ? palette::kQuiet : trend_color(settings, percent > 0 ? 1 : percent < 0 ? -1 : 0);
}

void add_value(TextBuilder* text, const Holding& holding, int64_t whole_from) {
  if (holding.priced)
    add_amount(text, holding.value, 2, whole_from, Sign::Minus);
  else
    text->add("–");
}

/// "Name  +4.2%  1’234": many rows share the page.
HEARTH_OWN_FRAME void draw_low_row(const Line& line, int baseline) {
  TextBuilder value, percent;
  add_value(&value, line.holding, kTightWholeFrom);
  if (line.holding.has_gain) add_decimal(&percent, {line.holding.percent, -2}, 1, Sign::Both), percent.add("%");
  text_right(line.canvas, kRight, baseline, Face::Small, line.color, value.text());
  constexpr int kPercentRight = 164;
  const int left_of_value = kRight - text_width(Face::Small, value.text()) - 8;
  const int right = left_of_value < kPercentRight ? left_of_value : kPercentRight;
  text_right(line.canvas, right, baseline, Face::Small, line.trend, percent.text());
  const int room = right - text_width(Face::Small, percent.text()) - 8 - kEdge;
  const char* name = row_name(line.row, line.quote);
  text_cut(line.canvas, kEdge, baseline, room, Face::Small, palette::kText,
           line.row.name[0] || text_width(Face::Small, name) <= room ? name : line.row.symbol);
}

HEARTH_OWN_FRAME void draw_worth(const Line& line, int baseline) {
  TextBuilder value;
  add_value(&value, line.holding, kWholeFrom);
  text_pair(line.canvas, baseline, Face::Medium, palette::kText, row_name(line.row, line.quote), line.color,
            value.text());
}

/// "12 × 102.30  +4.20%", or why there is no price.
HEARTH_OWN_FRAME void draw_position(const Line& line, int baseline) {
  TextBuilder position, percent;
  if (line.holding.priced) {
    add_decimal(&position, line.row.quantity, most_decimals(line.row.quantity), Sign::Minus);
    add_amount(&position.add(" × "), line.quote.price, shown_decimals(line.quote.price, line.row.symbol), kWholeFrom,
               Sign::Minus);
  } else {
    add_reason(&position, line.view, line.quote);
  }
  if (line.holding.has_gain) add_percent(&percent, line.holding.percent);
  const bool quiet = line.holding.priced || waits(line.quote);
  text_pair(line.canvas, baseline, Face::Small, quiet ? palette::kQuiet : palette::kAmber, position.text(), line.trend,
            percent.text());
}

void draw_row(Canvas& canvas, const View& view, int index, int top, int height) {
  constexpr int kTwoLines = 38;
  const TickerSettings& settings = view.settings->ticker;
  const Quote& quote = view.quotes[index];
  const Holding holding = holding_of(settings.rows[index], quote);
  const bool stale = quote.state == QuoteState::Stale;
  const Line line = {canvas,
                     view,
                     settings.rows[index],
                     quote,
                     holding,
                     stale ? palette::kQuiet : palette::kWhite,
                     color_of(settings, stale, holding.percent)};
  if (height < kTwoLines) return draw_low_row(line, top + (height + 12) / 2);
  draw_worth(line, top + 18);
  draw_position(line, top + 35);
}

HEARTH_OWN_FRAME void draw_total(Canvas& canvas, const TickerSettings& settings, const Total& total, int baseline) {
  TextBuilder value, percent;
  add_currency(&value, *total.currency);
  if (value.size() > 2) value.add(" ");  // a currency code, not a sign
  add_amount(&value, total.value, 2, kTightWholeFrom, Sign::Minus);
  int32_t hundredths = 0;
  const bool gain = total.has_cost && percent_change(total.value, total.cost, &hundredths);
  if (gain) add_percent(&percent, hundredths);
  const Color color = color_of(settings, total.stale, hundredths);
  text_pair(canvas, baseline, Face::Medium, total.stale ? palette::kQuiet : palette::kWhite, value.text(), color,
            percent.text());
}

}  // namespace

void draw_portfolio(Canvas& canvas, const View& view) {
  const TickerSettings& settings = view.settings->ticker;
  Total totals[kMostTotals];
  int total_count = 0, rows = 0;
  for (int k = 0; k < settings.row_count; ++k) {
    const Row& row = settings.rows[k];
    if (is_zero(row.quantity)) continue;
    ++rows;
    const Holding holding = holding_of(row, view.quotes[k]);
    if (holding.priced) add_to(totals, &total_count, row, view.quotes[k], holding.value);
  }
  constexpr int kTotalHeight = 23, kTallest = 48, kLeast = 18;
  int top = draw_page_bar(canvas, view);
  if (rows == 0) {
    text_centred(canvas, 112, Face::Medium, palette::kText, say(view, "No holdings", "Kein Bestand"));
    text_wrapped(canvas, 140, 2, Face::Small, palette::kQuiet, Align::Centre,
                 say(view, "Enter quantities in the settings.", "Stückzahlen in den Einstellungen eintragen."));
    return;
  }
  const int bottom = kSide - 6 - total_count * kTotalHeight;
  int height = (bottom - top - 6) / rows;
  if (height > kTallest) height = kTallest;
  if (height < kLeast) height = kLeast;
  for (int k = 0; k < settings.row_count; ++k) {
    if (is_zero(settings.rows[k].quantity)) continue;
    draw_row(canvas, view, k, top, height);
    top += height;
  }
  if (total_count > 0) canvas.fill({kEdge, bottom - 2, kInside, 1}, palette::kFaint);
  for (int k = 0; k < total_count; ++k) draw_total(canvas, settings, totals[k], bottom + kTotalHeight * (k + 1) - 3);
}

}  // namespace hearth

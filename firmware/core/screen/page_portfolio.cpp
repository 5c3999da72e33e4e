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

void draw_row(Canvas& canvas, const View& view, int index, int top, int height) {
  const TickerSettings& settings = view.settings->ticker;
  const Row& row = settings.rows[index];
  const Quote& quote = view.quotes[index];
  const Holding holding = holding_of(row, quote);
  const bool stale = quote.state == QuoteState::Stale;
  const bool tall = height >= 38;
  const int baseline = top + (tall ? 18 : (height + 12) / 2);
  TextBuilder value, percent, count;
  if (holding.priced)
    add_amount(&value, holding.value, 2, tall ? kWholeFrom : kTightWholeFrom, Sign::Minus);
  else
    value.add("–");
  if (holding.has_gain && tall) add_percent(&percent, holding.percent);
  if (holding.has_gain && !tall) add_decimal(&percent, {holding.percent, -2}, 1, Sign::Both), percent.add("%");
  const Color color = stale ? palette::kQuiet : palette::kWhite;
  const Color trend = stale ? palette::kQuiet
                            : trend_color(settings, holding.percent > 0   ? 1
                                                    : holding.percent < 0 ? -1
                                                                          : 0);
  const Face face = tall ? Face::Medium : Face::Small;
  if (!tall) {
    const int value_width = text_width(face, value.text());
    text_right(canvas, kRight, baseline, face, color, value.text());
    constexpr int kPercentRight = 164;
    const int right = kRight - value_width - 8 < kPercentRight ? kRight - value_width - 8 : kPercentRight;
    const int percent_width = text_width(Face::Small, percent.text());
    text_right(canvas, right, baseline, Face::Small, trend, percent.text());
    const int room = right - percent_width - 8 - kEdge;
    const char* name = row_name(row, quote);
    text_cut(canvas, kEdge, baseline, room, Face::Small, palette::kText,
             row.name[0] || text_width(Face::Small, name) <= room ? name : row.symbol);
    return;
  }
  text_pair(canvas, baseline, Face::Medium, palette::kText, row_name(row, quote), color, value.text());
  if (holding.priced) {
    add_decimal(&count, row.quantity, most_decimals(row.quantity), Sign::Minus);
    add_amount(&count.add(" × "), quote.price, shown_decimals(quote.price, row.symbol), kWholeFrom, Sign::Minus);
  } else {
    add_reason(&count, view, quote);
  }
  text_pair(canvas, baseline + 17, Face::Small, holding.priced || waits(quote) ? palette::kQuiet : palette::kAmber,
            count.text(), trend, percent.text());
}

void draw_total(Canvas& canvas, const TickerSettings& settings, const Total& total, int baseline) {
  TextBuilder value, percent;
  add_currency(&value, *total.currency);
  if (value.size() > 2) value.add(" ");  // a currency code, not a sign
  add_amount(&value, total.value, 2, kTightWholeFrom, Sign::Minus);
  int32_t hundredths = 0;
  const bool gain = total.has_cost && percent_change(total.value, total.cost, &hundredths);
  if (gain) add_percent(&percent, hundredths);
  const Color color = total.stale ? palette::kQuiet
                                  : trend_color(settings, hundredths > 0   ? 1
                                                          : hundredths < 0 ? -1
                                                                           : 0);
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

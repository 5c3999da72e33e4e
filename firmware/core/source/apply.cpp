#include "source/apply.h"

#include <string.h>

#include "io/utf8.h"

namespace hearth {
namespace {

constexpr Decimal kHundred{100, 0};

int32_t trading_day(const SourceResult& result) {
  if (result.market_time == 0) return 0;
  return static_cast<int32_t>((result.market_time + result.gmt_offset) / 86400);
}

void no_change(Quote* quote) {
  quote->previous = quote->change = Decimal{0, 0};
  quote->percent = 0;
  quote->has_change = false;
}

void change_from_previous(Decimal previous, Quote* quote) {
  no_change(quote);
  if (is_zero(previous)) return;
  quote->previous = previous;
  quote->has_change =
      subtract(quote->price, previous, &quote->change) && percent_change(quote->price, previous, &quote->percent);
}

/// Computes whichever of the two is missing: pct = change / (price - change) * 100, or change = price * pct / (100 +
/// pct).
void change_from_source(const SourceResult& result, Quote* quote) {
  no_change(quote);
  Decimal previous{0, 0};
  if (result.has_change && result.has_percent) {
    int32_t percent = 0;
    quote->change = result.change;
    quote->has_change =
        ratio(result.percent, Decimal{1, 0}, 2, &percent) && subtract(result.price, result.change, &quote->previous);
    quote->percent = percent;
  } else if (result.has_change) {
    if (subtract(result.price, result.change, &previous)) change_from_previous(previous, quote);
  } else if (result.has_percent) {
    Decimal factor;
    Decimal product;
    int32_t percent = 0;
    // -100 % means a price of 0, so the previous price can't be computed.
    if (!add(result.percent, kHundred, &factor) || is_zero(factor) ||
        !ratio(result.percent, Decimal{1, 0}, 2, &percent))
      return;
    if (!multiply(result.price, result.percent, &product) || !divide(product, factor, &quote->change)) return;
    quote->has_change = subtract(result.price, quote->change, &quote->previous);
    quote->percent = percent;
  }
}

/// The previous close of a charted quote, if this reply contains it. If false, daily candles must be requested.
bool chart_previous(const SourceParser& parser, Range range, Decimal* previous) {
  const SourceResult& result = parser.result;
  // Over five days the two fields are often equal: then both are the close before the period, and days must be
  // requested.
  const bool of_the_day =
      range == Range::D1 || !result.has_span_previous || compare(result.previous, result.span_previous) != 0;
  if (candles_intraday(range) && result.has_previous && !is_zero(result.previous) && of_the_day) {
    *previous = result.previous;
    return true;
  }
  bool none = false;
  if ((candles_daily(range) || range == Range::D5) &&
      parser.tail.previous(result.market_time, result.gmt_offset, previous, &none))
    return true;
  // If the period begins on the market's current day, the close before the period is the previous close.
  const bool one_day = range == Range::D1 || (none && (candles_daily(range) || range == Range::D5));
  if (!one_day || !result.has_span_previous || is_zero(result.span_previous)) return false;
  *previous = result.span_previous;
  return true;
}

NextStep apply_chart(const SourceParser& parser, const SourceRequest& request, RowMemory* memory, Quote* quote) {
  const int32_t day = trading_day(parser.result);
  Decimal previous{0, 0};
  parser.series.thin_out(request.points, &quote->spark);
  if (chart_previous(parser, request.range, &previous)) {
    memory->trading_day = 0;
    change_from_previous(previous, quote);
    return NextStep::Nothing;
  }
  if (day != 0 && memory->trading_day == day) {
    change_from_previous(quote->previous, quote);
    return NextStep::Nothing;
  }
  memory->trading_day = 0;
  no_change(quote);
  return NextStep::PreviousClose;
}

}  // namespace

NextStep apply_quote(const SourceParser& parser, const SourceRequest& request, bool series_wanted, RowMemory* memory,
                     Quote* quote) {
  const SourceResult& result = parser.result;
  quote->price = result.price;
  copy_text(quote->name, kNameBytes, result.name, kNameBytes);
  memcpy(quote->currency, result.currency, kCurrencyBytes);
  quote->currency_is_prefix = request.source == Source::Webhook || request.source == Source::Github;
  copy_text(quote->range, sizeof quote->range, result.range[0] != 0 ? result.range : range_name(request.range),
            sizeof quote->range);
  if (request.source == Source::Yahoo) return apply_chart(parser, request, memory, quote);
  change_from_source(result, quote);
  if (request.source == Source::Cash)
    return series_wanted && request.points >= 2 ? NextStep::Series : NextStep::Nothing;
  parser.series.newest(&quote->spark);
  return NextStep::Nothing;
}

void apply_previous_close(const SourceParser& parser, RowMemory* memory, Quote* quote) {
  const SourceResult& result = parser.result;
  Decimal previous{0, 0};
  bool none = false;
  if (!parser.tail.previous(result.market_time, result.gmt_offset, &previous, &none)) {
    if (!none || !result.has_span_previous) return;
    previous = result.span_previous;
  }
  change_from_previous(previous, quote);
  memory->trading_day = trading_day(result);
}

void apply_series(const SourceParser& parser, const SourceRequest& request, Quote* quote) {
  if (parser.series.count() >= 2) parser.series.thin_out(request.points, &quote->spark);
}

}  // namespace hearth

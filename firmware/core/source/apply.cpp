#include "source/apply.h"

#include <string.h>

#include "io/utf8.h"

namespace hearth {
namespace {

constexpr Decimal kHundred{100, 0};

/// Exchanges that quote in hundredths have names of their own for them: London's pence, Tel Aviv's agorot,
/// Johannesburg's cents.
bool name_whole_currency(char* currency) {
  static const char* const kHundredths[][2] = {
      {"GBp", "GBP"}, {"GBX", "GBP"}, {"ILA", "ILS"}, {"ZAc", "ZAR"}, {"ZAC", "ZAR"}};
  for (const auto& pair : kHundredths) {
    if (strcmp(currency, pair[0]) != 0) continue;
    memcpy(currency, pair[1], 4);
    return true;
  }
  return false;
}

Decimal whole_price(Decimal price, const RowMemory& memory) {
  if (!memory.hundredths || is_zero(price)) return price;
  Decimal whole;
  return divide(price, kHundred, &whole) ? whole : price;
}

void make_whole(Spark* spark, const RowMemory& memory) {
  if (memory.hundredths && spark->count > 0) spark->exponent = static_cast<int8_t>(spark->exponent - 2);
}

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
void change_from_source(const SourceResult& result, const RowMemory& memory, Quote* quote) {
  no_change(quote);
  Decimal previous{0, 0};
  const Decimal change = whole_price(result.change, memory);
  if (result.has_change && result.has_percent) {
    int32_t percent = 0;
    quote->change = change;
    quote->has_change =
        ratio(result.percent, Decimal{1, 0}, 2, &percent) && subtract(quote->price, change, &quote->previous);
    quote->percent = percent;
  } else if (result.has_change) {
    if (subtract(quote->price, change, &previous)) change_from_previous(previous, quote);
  } else if (result.has_percent) {
    Decimal factor;
    Decimal product;
    int32_t percent = 0;
    // -100 % means a price of 0, so the previous price can't be computed.
    if (!add(result.percent, kHundred, &factor) || is_zero(factor) ||
        !ratio(result.percent, Decimal{1, 0}, 2, &percent))
      return;
    if (!multiply(quote->price, result.percent, &product) || !divide(product, factor, &quote->change)) return;
    quote->has_change = subtract(quote->price, quote->change, &quote->previous);
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

Market market_of(const SourceResult& result) {
  static const Market kMarkets[] = {Market::Before, Market::Open, Market::After};
  if (result.now == 0 || result.closes[1] <= result.opens[1]) return Market::Unknown;
  static const uint8_t kOrder[] = {1, 0, 2};  // the regular hours first
  for (const uint8_t i : kOrder) {
    if (result.opens[i] <= result.now && result.now < result.closes[i]) return kMarkets[i];
  }
  return Market::Closed;
}

/// 1..101 from low to high; 0 if they make no range around the price.
uint8_t place_between(Decimal low, Decimal high, Decimal price) {
  Decimal span, above;
  int32_t percent = 0;
  if (compare(high, low) <= 0 || compare(price, low) < 0 || compare(price, high) > 0) return 0;
  if (!subtract(high, low, &span) || !subtract(price, low, &above)) return 0;
  if (is_zero(above)) return 1;
  return ratio(above, span, 2, &percent) && percent >= 0 && percent <= 100 ? static_cast<uint8_t>(percent + 1)
                                                                           : uint8_t{0};
}

void apply_market(const SourceParser& parser, const SourceRequest& request, const RowMemory& memory, Quote* quote) {
  const SourceResult& result = parser.result;
  quote->market = market_of(result);
  const int64_t traded = result.market_time == 0 ? 0 : result.market_time + result.gmt_offset;
  quote->traded_s = traded > 0 && traded <= UINT32_MAX ? static_cast<uint32_t>(traded) : 0;
  quote->day_place = place_between(result.low, result.high, result.price);
  quote->year_place = place_between(result.year_low, result.year_high, result.price);
  quote->extended = Decimal{0, 0};
  Decimal last;
  int64_t seconds = 0;
  if (!request.extended || quote->market == Market::Open || !parser.tail.last(&last, &seconds)) return;
  const bool outside = seconds >= result.closes[1] || seconds < result.opens[1];
  if (outside && seconds > result.market_time && percent_change(last, result.price, &quote->extended_percent))
    quote->extended = whole_price(last, memory);
}

NextStep apply_chart(const SourceParser& parser, const SourceRequest& request, RowMemory* memory, Quote* quote) {
  const int32_t day = trading_day(parser.result);
  Decimal previous{0, 0};
  parser.series.thin_out(request.points, &quote->spark);
  make_whole(&quote->spark, *memory);
  if (chart_previous(parser, request.range, &previous)) {
    memory->trading_day = 0;
    change_from_previous(whole_price(previous, *memory), quote);
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
  copy_text(quote->name, kNameBytes, result.name, kNameBytes);
  memcpy(quote->currency, result.currency, kCurrencyBytes);
  quote->currency_is_prefix = request.source == Source::Webhook || request.source == Source::Github;
  memory->hundredths = !quote->currency_is_prefix && name_whole_currency(quote->currency);
  quote->price = whole_price(result.price, *memory);
  copy_text(quote->range, sizeof quote->range, result.range[0] != 0 ? result.range : range_name(request.range),
            sizeof quote->range);
  apply_market(parser, request, *memory, quote);
  if (request.source == Source::Yahoo) return apply_chart(parser, request, memory, quote);
  change_from_source(result, *memory, quote);
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
  change_from_previous(whole_price(previous, *memory), quote);
  memory->trading_day = trading_day(result);
}

void apply_series(const SourceParser& parser, const SourceRequest& request, const RowMemory& memory, Quote* quote) {
  if (parser.series.count() < 2) return;
  parser.series.thin_out(request.points, &quote->spark);
  make_whole(&quote->spark, memory);
}

}  // namespace hearth

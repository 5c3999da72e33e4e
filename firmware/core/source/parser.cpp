#include "source/parser.h"

#include <string.h>

#include "io/utf8.h"

namespace hearth {
namespace {

constexpr size_t kNameCharacters = 19;
constexpr size_t kPrefixBytes = 5;  // of a webhook's currency
constexpr size_t kRangeCharacters = 7;

bool whole_number(Decimal value, int64_t* number) { return rescale(value, 0, number); }

/// Whether a number as written is not zero: 1e-400 is too small for a price, and no price of 0.
bool has_digit(const char* text) {
  for (; *text != 0 && *text != 'e' && *text != 'E'; text++) {
    if (*text >= '1' && *text <= '9') return true;
  }
  return false;
}

}  // namespace

void SourceParser::start(Source source, Step step) {
  source_ = source;
  step_ = step;
  failed_ = false;
  memset(&result, 0, sizeof result);
  series.start();
  tail.start();
  reader_.start(kBodyLimit, BadText::Replace);
  path_.start();
}

bool SourceParser::write(const void* bytes, size_t size) {
  reader_.feed(bytes, size);
  return drain();
}

bool SourceParser::drain() {
  while (!failed_) {
    const JsonEvent event = reader_.next();
    if (event == JsonEvent::NeedMore) return true;
    if (event == JsonEvent::End) return true;
    if (event == JsonEvent::Error) {
      failed_ = true;
      break;
    }
    path_.update(event, reader_.text());
    if (event != JsonEvent::Key) value(event);
  }
  return false;
}

void SourceParser::value(JsonEvent event) {
  switch (source_) {
    case Source::Yahoo:
      chart_value(event);
      break;
    case Source::Cash:
      portal_value(event);
      break;
    default:
      webhook_value(event);
      break;
  }
}

void SourceParser::take_number(JsonEvent event, Decimal* value, bool* has) {
  *has = event == JsonEvent::Number && (!is_zero(reader_.number()) || !has_digit(reader_.text()));
  if (*has) *value = reader_.number();
}

void SourceParser::take_text(JsonEvent event, char* to, size_t capacity, size_t characters) {
  if (event == JsonEvent::String) copy_text(to, capacity, reader_.text(), characters);
}

/// The periods of the trading day and the ranges. Returns whether the value was one of them.
bool SourceParser::market_value(JsonEvent event) {
  static const char* const kStarts[] = {"chart.result.0.meta.currentTradingPeriod.pre.start",
                                        "chart.result.0.meta.currentTradingPeriod.regular.start",
                                        "chart.result.0.meta.currentTradingPeriod.post.start"};
  static const char* const kEnds[] = {"chart.result.0.meta.currentTradingPeriod.pre.end",
                                      "chart.result.0.meta.currentTradingPeriod.regular.end",
                                      "chart.result.0.meta.currentTradingPeriod.post.end"};
  if (event != JsonEvent::Number || !path_.begins("chart.result.0.meta.")) return false;
  const Decimal number = reader_.number();
  int64_t whole = 0;
  for (int i = 0; i < 3; i++) {
    if (path_.is(kStarts[i])) return whole_number(number, &whole) && (result.opens[i] = whole, true);
    if (path_.is(kEnds[i])) return whole_number(number, &whole) && (result.closes[i] = whole, true);
  }
  Decimal* const to = path_.is("chart.result.0.meta.regularMarketDayLow")    ? &result.low
                      : path_.is("chart.result.0.meta.regularMarketDayHigh") ? &result.high
                      : path_.is("chart.result.0.meta.fiftyTwoWeekLow")      ? &result.year_low
                      : path_.is("chart.result.0.meta.fiftyTwoWeekHigh")     ? &result.year_high
                                                                             : nullptr;
  if (to != nullptr) *to = number;
  return to != nullptr;
}

void SourceParser::chart_value(JsonEvent event) {
  if (market_value(event)) return;
  Decimal number = reader_.number();
  int64_t whole = 0;
  if (path_.is("chart.result.0.indicators.quote.0.close.*")) {
    const bool valid = event == JsonEvent::Number && !is_zero(number);  // null and 0: no trade in that candle
    tail.close(valid, number);
    if (valid && step_ == Step::Quote) series.add(number);
  } else if (path_.is("chart.result.0.timestamp.*")) {
    if (event == JsonEvent::Number && whole_number(number, &whole)) tail.time(whole);
  } else if (path_.is("chart.result")) {
    result.unknown = event == JsonEvent::Null;
  } else if (path_.is("chart.result.0.meta.regularMarketPrice")) {
    take_number(event, &result.price, &result.has_price);
  } else if (path_.is("chart.result.0.meta.previousClose")) {
    take_number(event, &result.previous, &result.has_previous);
  } else if (path_.is("chart.result.0.meta.chartPreviousClose")) {
    take_number(event, &result.span_previous, &result.has_span_previous);
  } else if (path_.is("chart.result.0.meta.regularMarketTime")) {
    if (event == JsonEvent::Number && whole_number(number, &whole)) result.market_time = whole;
  } else if (path_.is("chart.result.0.meta.gmtoffset")) {
    if (event == JsonEvent::Number && whole_number(number, &whole) && whole > -90000 && whole < 90000)
      result.gmt_offset = static_cast<int32_t>(whole);
  } else if (path_.is("chart.result.0.meta.currency")) {
    take_text(event, result.currency, kCurrencyBytes, kCurrencyBytes);
  } else if (path_.is("chart.result.0.meta.shortName")) {
    if (event == JsonEvent::String && reader_.size() > 0) {
      take_text(event, result.name, kNameBytes, kNameCharacters);
      result.long_name = false;
    }
  } else if (path_.is("chart.result.0.meta.longName") && (result.name[0] == 0 || result.long_name)) {
    take_text(event, result.name, kNameBytes, kNameCharacters);
    result.long_name = true;
  }
}

void SourceParser::portal_value(JsonEvent event) {
  if (path_.is("data.integration.solid.chart.timeserie.prices.*.close")) {
    if (event == JsonEvent::Number && !is_zero(reader_.number())) series.add(reader_.number());
    result.has_node = true;
    return;
  }
  if (path_.is("data.integration.solid.chart.timeserie.prices")) result.has_node = event == JsonEvent::BeginArray;
  if (path_.is("data.quoteList.quoteList.edges.0.node")) result.has_node = event == JsonEvent::BeginObject;
  const bool text = event == JsonEvent::String;
  // The API sends numbers as strings; plain numbers are accepted as well.
  const auto number = [&](Decimal* to, bool* has) {
    if (text) {
      *has = parse_portal_number(reader_.text(), to) && (!is_zero(*to) || !has_digit(reader_.text()));
    } else {
      take_number(event, to, has);
    }
  };
  if (path_.is("data.quoteList.quoteList.edges.0.node.lval")) number(&result.price, &result.has_price);
  if (path_.is("data.quoteList.quoteList.edges.0.node.iNetVperprV")) number(&result.change, &result.has_change);
  if (path_.is("data.quoteList.quoteList.edges.0.node.perfPercentage")) number(&result.percent, &result.has_percent);
  if (path_.is("data.quoteList.quoteList.edges.0.node.mCur"))
    take_text(event, result.currency, kCurrencyBytes, kCurrencyBytes);
  if (path_.is("data.quoteList.quoteList.edges.0.node.mShortName"))
    take_text(event, result.name, kNameBytes, kNameCharacters);
}

void SourceParser::webhook_value(JsonEvent event) {
  if (path_.is("price")) take_number(event, &result.price, &result.has_price);
  if (path_.is("change")) take_number(event, &result.change, &result.has_change);
  if (path_.is("changePct")) take_number(event, &result.percent, &result.has_percent);
  if (event == JsonEvent::Number && path_.is("low")) result.low = reader_.number();
  if (event == JsonEvent::Number && path_.is("high")) result.high = reader_.number();
  if (path_.is("ok")) result.refused = event == JsonEvent::False;
  if (path_.is("name")) take_text(event, result.name, kNameBytes, kNameCharacters);
  if (path_.is("currency")) take_text(event, result.currency, kPrefixBytes + 1, kPrefixBytes);
  if (path_.is("range")) take_text(event, result.range, sizeof result.range, kRangeCharacters);
  if (path_.is("spark.*") && event == JsonEvent::Number) series.add(reader_.number());
}

Reason SourceParser::finish() {
  reader_.finish();
  if (!failed_) drain();
  if (failed_) return Reason::BadAnswer;
  if (step_ == Step::Series) return result.has_node ? Reason::None : Reason::BadAnswer;
  if (result.refused) return Reason::SourceSaysNo;
  if (result.unknown) return Reason::UnknownSymbol;
  if (source_ == Source::Cash) {
    if (!result.has_node) return Reason::UnknownSymbol;
    if (result.has_price && (is_zero(result.price) || is_negative(result.price))) result.has_price = false;
  }
  if (step_ == Step::PreviousClose) return Reason::None;
  return result.has_price ? Reason::None : Reason::NoPrice;
}

bool parse_portal_number(const char* text, Decimal* value) {
  char plain[32];
  size_t size = 0;
  for (; *text != 0; text++) {
    const uint8_t c = static_cast<uint8_t>(*text);
    if (c == ' ' || c == '\'') continue;
    if (c == 0xc2 && static_cast<uint8_t>(text[1]) == 0xa0) {  // no-break space
      text++;
      continue;
    }
    if (c == 0xe2 && static_cast<uint8_t>(text[1]) == 0x80 &&
        (static_cast<uint8_t>(text[2]) == 0x99 || static_cast<uint8_t>(text[2]) == 0xaf)) {  // ’ and narrow space
      text += 2;
      continue;
    }
    if (c == '+' && size == 0) continue;
    if (size + 1 >= sizeof plain) return false;
    plain[size++] = c == ',' ? '.' : static_cast<char>(c);
  }
  return parse_decimal(plain, size, value);
}

}  // namespace hearth

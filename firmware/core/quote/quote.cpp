#include "quote/quote.h"

namespace hearth {

bool span_change(const Quote& quote, Decimal* change, int32_t* percent) {
  if (quote.state == QuoteState::Empty || quote.spark.count < 2) return false;
  const Decimal first{quote.spark.first, quote.spark.exponent};
  return subtract(quote.price, first, change) && percent_change(quote.price, first, percent);
}

int32_t spark_height(const Spark& spark, Decimal value) {
  constexpr int32_t kFull = 65535;
  int64_t at = 0;
  if (!rescale(value, spark.exponent, &at)) return value.mantissa < 0 ? -kFull : 2 * kFull;
  const int64_t span = static_cast<int64_t>(spark.high) - spark.low;
  if (at < spark.low - span) return span == 0 && at == spark.low ? kFull / 2 : -kFull;
  if (at > spark.high + span) return 2 * kFull;
  if (span == 0) return kFull / 2;
  return static_cast<int32_t>((at - spark.low) * kFull / span);
}

}  // namespace hearth

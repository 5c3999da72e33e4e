#include <string.h>

#include "fuzz.h"
#include "quote/format.h"
#include "source/apply.h"

using namespace hearth;

static Reason parse(const fuzz::Input& input, bool whole, SourceParser& parser, const SourceRequest& request,
                    Quote* quote) {
  parser.start(request.source, request.step);
  if (whole) {
    parser.write(input.text.data(), input.text.size());
  } else {
    input.pieces([&](const uint8_t* bytes, size_t size) { return parser.write(bytes, size); });
  }
  const Reason reason = parser.finish();
  RowMemory memory{};
  if (reason != Reason::None) return reason;
  if (request.step == Step::Quote) apply_quote(parser, request, true, &memory, quote);
  if (request.step == Step::PreviousClose) apply_previous_close(parser, &memory, quote);
  if (request.step == Step::Series) apply_series(parser, request, memory, quote);
  quote->state = QuoteState::Fresh;
  return reason;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Input input(data, size);
  static SourceParser parser;
  const SourceRequest request{static_cast<Source>(input.kind & 3),
                              static_cast<Step>((input.kind >> 2) % 3),
                              false,
                              "X",
                              static_cast<Range>((input.kind >> 4) % 10),
                              48,
                              "",
                              nullptr};
  Quote first{};
  Quote second{};
  fuzz::must(parse(input, true, parser, request, &first) == parse(input, false, parser, request, &second));
  fuzz::must(compare(first.price, second.price) == 0 && first.percent == second.percent &&
             first.spark.count == second.spark.count && strcmp(first.name, second.name) == 0);
  fuzz::must(first.spark.count <= kSparkPoints);
  char out[kFormatBytes];
  Decimal change{};
  int32_t percent = 0;
  format_price(first.price, out);
  format_change(first.change, price_decimals(first.price), out);
  format_percent(first.percent, out);
  if (span_change(first, &change, &percent)) format_change(change, 2, out);
  spark_height(first.spark, first.price);
  return 0;
}

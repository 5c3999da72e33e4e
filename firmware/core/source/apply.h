// From an answer to a quote: change, percent, previous close, sparkline.
#pragma once
#include "source/parser.h"

namespace hearth {

/// The state of a row between fetches, beside its quote.
struct RowMemory {
  int32_t trading_day;  ///< day (since 1970, at the exchange) for which `Quote::previous` holds; 0 = none
};

enum class NextStep : uint8_t { Nothing, PreviousClose, Series };

/// Takes over a successful Step::Quote. Answers which request must follow for the quote to be whole.
NextStep apply_quote(const SourceParser& parser, const SourceRequest& request, bool series_wanted, RowMemory* memory,
                     Quote* quote);
/// Takes over Step::PreviousClose.
void apply_previous_close(const SourceParser& parser, RowMemory* memory, Quote* quote);
/// Takes over Step::Series.
void apply_series(const SourceParser& parser, const SourceRequest& request, Quote* quote);

}  // namespace hearth

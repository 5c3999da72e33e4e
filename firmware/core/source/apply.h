// Converts a reply to a quote: change, percentage, previous close, sparkline.
#pragma once
#include "source/parser.h"

namespace hearth {

/// The state of a row between fetches, beside its quote.
struct RowMemory {
  int32_t trading_day;   ///< day (since 1970, at the exchange) for which `Quote::previous` holds; 0 = none
  uint32_t flash_since;  ///< of a changed price
  int8_t alert;          ///< that the last price had reached, see `alert_of`
  bool hundredths;       ///< the source gives this row in hundredths of its currency: pence
};

enum class NextStep : uint8_t { Nothing, PreviousClose, Series };

/// Applies a successful Step::Quote. Returns the request that must follow to complete the quote.
NextStep apply_quote(const SourceParser& parser, const SourceRequest& request, bool series_wanted, RowMemory* memory,
                     Quote* quote);
/// Applies Step::PreviousClose.
void apply_previous_close(const SourceParser& parser, RowMemory* memory, Quote* quote);
/// Applies Step::Series.
void apply_series(const SourceParser& parser, const SourceRequest& request, const RowMemory& memory, Quote* quote);

}  // namespace hearth

// The exact requests of the four sources.
#pragma once
#include "http/url.h"
#include "port.h"
#include "settings/settings.h"

namespace hearth {

enum class Step : uint8_t {
  Quote,          ///< price (and for most sources everything else)
  Series,         ///< portal: closes for the sparkline
  PreviousClose,  ///< chart endpoint: daily candles, where the charted ones are weekly or monthly
};

/// A request to a source. Its texts must stay valid while it is in use.
struct SourceRequest {
  Source source;
  Step step;
  bool mirror;
  const char* symbol;
  Range range;
  uint8_t points;
  const char* webhook_url;
  const BoardInfo* board;
  bool extended = false;  ///< chart endpoint: trades outside the regular hours as well
  const char* repo = "";  ///< "owner/name" in place of the board's repository
};

/// Candle interval of the chart endpoint: "5m" … "1mo".
const char* candle_interval(Range range);
/// Whether the candles of this range are daily rather than intraday.
bool candles_daily(Range range);
bool candles_intraday(Range range);
/// Number of closes requested from the portal.
uint16_t portal_closes(Range range);

/// Host, port and TLS of a request. Returns false if the source is not configured (webhook URL, REPO_OWNER) or, for the
/// portal and the published files, if the symbol is not a listing key.
bool source_address(const SourceRequest& request, Url* url);
/// How to connect to it: TLS profile and buffer sizes per source.
Endpoint source_endpoint(Source source, const Url& url);
/// Writes the whole GET request.
void write_source_request(const SourceRequest& request, const Url& url, ByteSink& sink);
/// A GET for the target of a redirect, with the headers of the same source.
void write_redirected_request(const SourceRequest& request, const Url& url, ByteSink& sink);
/// `<valor>-<marketId>-<currencyId>`: 1..12, 1..6 and 1..6 digits.
bool is_listing_key(const char* text);

}  // namespace hearth

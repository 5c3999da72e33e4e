#include "source/request.h"

#include <string.h>

#include "io/text_out.h"

namespace hearth {
namespace {

// Properties of the providers (unofficial, observed in 2026): hosts, paths and the query documents of the portal's
// public GraphQL endpoint.
constexpr const char* kChartHosts[] = {"query1.finance.yahoo.com", "query2.finance.yahoo.com"};
constexpr const char kPortalHost[] = "www.cash.ch";
constexpr const char kPortalPath[] = "/_/api/graphql/prod?query=";
constexpr const char kRawHost[] = "raw.githubusercontent.com";
constexpr const char kChartAgent[] = "Mozilla/5.0 (SmallTV)";  // an empty one gets HTTP 429

struct Candles {
  const char* interval;
  bool daily;
  bool intraday;
  uint16_t portal_closes;
};
constexpr Candles kCandles[] = {
    {"5m", false, true, 2},     {"30m", false, true, 5},    {"1d", true, false, 22},    {"1d", true, false, 65},
    {"1d", true, false, 130},   {"1d", true, false, 130},   {"1wk", false, false, 260}, {"1wk", false, false, 400},
    {"1mo", false, false, 400}, {"1mo", false, false, 400},
};
const Candles& candles(Range range) { return kCandles[static_cast<uint8_t>(range)]; }

void set_host(Url* url, const char* host, bool tls) {
  strncpy(url->host, host, kHostBytes - 1);
  url->host[kHostBytes - 1] = 0;
  url->tls = tls;
  url->port = tls ? 443 : 80;
  url->path = "";
  url->path_size = 0;
  url->has_query = false;
}

void write_chart_path(const SourceRequest& request, TextOut& out) {
  const bool previous = request.step == Step::PreviousClose;
  out.text("/v8/finance/chart/").percent(request.symbol);
  out.text("?range=").text(previous ? "5d" : range_name(request.range));
  out.text("&interval=").text(previous ? "1d" : candle_interval(request.range));
  if (request.extended && !previous) out.text("&includePrePost=true");
}

void write_portal_path(const SourceRequest& request, TextOut& out) {
  out.text(kPortalPath);
  if (request.step == Step::Quote) {
    out.percent("query{quoteList(listingKeys:\"").percent(request.symbol);
    out.percent("\"){quoteList{edges{node{...on Instrument{lval iNetVperprV perfPercentage mCur mShortName}}}}}}");
    return;
  }
  out.percent("query{integration{solid{chart(listingKey:\"").percent(request.symbol);
  out.percent("\" frequency:\"1d\" from:\"2020-01-01\" to:\"2100-01-01\" max:\"").number(portal_closes(request.range));
  out.percent("\"){timeserie{prices{close}}}}}}");
}

void write_webhook_path(const SourceRequest& request, const Url& url, TextOut& out) {
  if (url.path_size == 0 || url.path[0] != '/') out.character('/');
  out.bytes(url.path, url.path_size);
  const char last = url.path_size == 0 ? 0 : url.path[url.path_size - 1];
  if (!url.has_query) {
    out.character('?');
  } else if (last != '?' && last != '&') {
    out.character('&');
  }
  out.text("symbol=")
      .percent(request.symbol)
      .text("&range=")
      .text(range_name(request.range))
      .text("&points=")
      .number(request.points);
}

void write_headers(const SourceRequest& request, const Url& url, TextOut& out) {
  // With HTTP/1.0 the chart endpoint replies without chunks, which needs less of a small TLS buffer.
  out.text(request.source == Source::Yahoo ? " HTTP/1.0\r\nHost: " : " HTTP/1.1\r\nHost: ").text(url.host);
  if (url.port != (url.tls ? 443 : 80)) out.character(':').number(url.port);
  out.text("\r\nUser-Agent: ");
  if (request.source == Source::Yahoo) {
    out.text(kChartAgent);
  } else {
    out.text("SmallTV/").text(request.board->version);
  }
  out.text("\r\nAccept: application/json\r\nConnection: close\r\n\r\n");
}

bool digits(const char** at, uint8_t most) {
  uint8_t count = 0;
  for (; **at >= '0' && **at <= '9'; (*at)++) count++;
  return count >= 1 && count <= most;
}

}  // namespace

const char* candle_interval(Range range) { return candles(range).interval; }
bool candles_daily(Range range) { return candles(range).daily; }
bool candles_intraday(Range range) { return candles(range).intraday; }
uint16_t portal_closes(Range range) { return candles(range).portal_closes; }

bool is_listing_key(const char* text) {
  if (!digits(&text, 12) || *text++ != '-') return false;
  if (!digits(&text, 6) || *text++ != '-') return false;
  return digits(&text, 6) && *text == 0;
}

bool source_address(const SourceRequest& request, Url* url) {
  switch (request.source) {
    case Source::Yahoo:
      set_host(url, kChartHosts[request.mirror ? 1 : 0], true);
      return true;
    case Source::Cash:
      set_host(url, kPortalHost, true);
      return is_listing_key(request.symbol);
    case Source::Github:
      set_host(url, kRawHost, true);
      return (request.repo[0] != 0 || (request.board->repo_owner[0] != 0 && request.board->repo_name[0] != 0)) &&
             is_listing_key(request.symbol);
    default:
      return request.webhook_url[0] != 0 && parse_url(request.webhook_url, url);
  }
}

Endpoint source_endpoint(Source source, const Url& url) {
  Endpoint endpoint{url.host, url.port, url.tls ? TlsProfile::StaticRsa : TlsProfile::None, 2048, 512};
  if (source == Source::Cash) {
    endpoint.tls = TlsProfile::Ecdhe;
    endpoint.receive_buffer = 512;
  }
  if (source == Source::Github)
    endpoint.receive_buffer = 5120;  // its certificates are sent in one record of about 4 KB
  return endpoint;
}

void write_source_request(const SourceRequest& request, const Url& url, ByteSink& sink) {
  TextOut out(sink);
  out.text("GET ");
  switch (request.source) {
    case Source::Yahoo:
      write_chart_path(request, out);
      break;
    case Source::Cash:
      write_portal_path(request, out);
      break;
    case Source::Github:
      out.character('/');
      if (request.repo[0] != 0) {
        out.text(request.repo);
      } else {
        out.percent(request.board->repo_owner).character('/').percent(request.board->repo_name);
      }
      out.text("/data/quotes/").percent(request.symbol).text(".json");
      break;
    default:
      write_webhook_path(request, url, out);
      break;
  }
  write_headers(request, url, out);
}

void write_redirected_request(const SourceRequest& request, const Url& url, ByteSink& sink) {
  TextOut out(sink);
  out.text("GET ");
  if (url.path_size == 0 || url.path[0] != '/') out.character('/');
  out.bytes(url.path, url.path_size);
  write_headers(request, url, out);
}

}  // namespace hearth

#include <doctest/doctest.h>

#include <string>

#include "io/text_out.h"
#include "source/request.h"

using namespace hearth;

namespace {

BoardInfo board() {
  BoardInfo info{};
  info.version = "1.2.3";
  info.repo_owner = "someone";
  info.repo_name = "hearth";
  return info;
}

std::string request_text(Source source, const char* symbol, Range range, Step step = Step::Quote, bool mirror = false,
                         const char* webhook = "", uint8_t points = 48) {
  const BoardInfo info = board();
  const SourceRequest request{source, step, mirror, symbol, range, points, webhook, &info};
  Url url;
  if (!source_address(request, &url)) return "not configured";
  char buffer[1024];
  BufferSink sink(buffer, sizeof buffer);
  write_source_request(request, url, sink);
  CHECK_FALSE(sink.full());
  return buffer;
}

const std::string kChartTail =
    " HTTP/1.0\r\nHost: query1.finance.yahoo.com\r\nUser-Agent: Mozilla/5.0 (SmallTV)\r\nAccept: "
    "application/json\r\nConnection: close\r\n\r\n";

}  // namespace

TEST_CASE("writes chart requests byte for byte") {
  CHECK(request_text(Source::Yahoo, "^GSPC", Range::D1) ==
        "GET /v8/finance/chart/%5EGSPC?range=1d&interval=5m" + kChartTail);
  CHECK(request_text(Source::Yahoo, "EURUSD=X", Range::D5) ==
        "GET /v8/finance/chart/EURUSD%3DX?range=5d&interval=30m" + kChartTail);
  CHECK(request_text(Source::Yahoo, "BRK-B", Range::Mo1) ==
        "GET /v8/finance/chart/BRK-B?range=1mo&interval=1d" + kChartTail);
  CHECK(request_text(Source::Yahoo, "NESN.SW", Range::Ytd) ==
        "GET /v8/finance/chart/NESN.SW?range=ytd&interval=1d" + kChartTail);
  CHECK(request_text(Source::Yahoo, "A B/C?d&e#f%", Range::Y1) ==
        "GET /v8/finance/chart/A%20B%2FC%3Fd%26e%23f%25?range=1y&interval=1wk" + kChartTail);
  CHECK(request_text(Source::Yahoo, "Zürich€", Range::Max) ==
        "GET /v8/finance/chart/Z%C3%BCrich%E2%82%AC?range=max&interval=1mo" + kChartTail);
  CHECK(request_text(Source::Yahoo, "AAPL", Range::Y5, Step::PreviousClose) ==
        "GET /v8/finance/chart/AAPL?range=5d&interval=1d" + kChartTail);
  CHECK(request_text(Source::Yahoo, "AAPL", Range::D1, Step::Quote, true).find("Host: query2.finance.yahoo.com\r\n") !=
        std::string::npos);
}

TEST_CASE("requests candles and closes of every timeframe") {
  const char* intervals[] = {"5m", "30m", "1d", "1d", "1d", "1d", "1wk", "1wk", "1mo", "1mo"};
  const uint16_t closes[] = {2, 5, 22, 65, 130, 130, 260, 400, 400, 400};
  for (int i = 0; i < 10; i++) {
    CHECK(std::string(candle_interval(static_cast<Range>(i))) == intervals[i]);
    CHECK(portal_closes(static_cast<Range>(i)) == closes[i]);
    CHECK(candles_daily(static_cast<Range>(i)) == (std::string(intervals[i]) == "1d"));
    CHECK(candles_intraday(static_cast<Range>(i)) == (i < 2));
  }
}

TEST_CASE("writes portal requests byte for byte") {
  const std::string tail =
      " HTTP/1.1\r\nHost: www.cash.ch\r\nUser-Agent: SmallTV/1.2.3\r\nAccept: application/json\r\nConnection: "
      "close\r\n\r\n";
  CHECK(request_text(Source::Cash, "3886335-4-1", Range::Mo6) ==
        "GET "
        "/_/api/graphql/"
        "prod?query=query%7BquoteList%28listingKeys%3A%223886335-4-1%22%29%7BquoteList%7Bedges%7Bnode%7B...on%"
        "20Instrument%7Blval%20"
        "iNetVperprV%20perfPercentage%20mCur%20mShortName%7D%7D%7D%7D%7D%7D" +
            tail);
  CHECK(request_text(Source::Cash, "3886335-4-1", Range::Mo6, Step::Series) ==
        "GET "
        "/_/api/graphql/"
        "prod?query=query%7Bintegration%7Bsolid%7Bchart%28listingKey%3A%223886335-4-1%22%20frequency%3A%221d%22%20from%"
        "3A%222020-01-01%22%20"
        "to%3A%222100-01-01%22%20max%3A%22130%22%29%7Btimeserie%7Bprices%7Bclose%7D%7D%7D%7D%7D%7D" +
            tail);
}

TEST_CASE("writes requests for published files byte for byte") {
  CHECK(request_text(Source::Github, "123456789-246-333", Range::Mo6) ==
        "GET /someone/hearth/data/quotes/123456789-246-333.json HTTP/1.1\r\nHost: "
        "raw.githubusercontent.com\r\nUser-Agent: SmallTV/1.2.3\r\nAccept: application/json\r\nConnection: "
        "close\r\n\r\n");
}

TEST_CASE("writes webhook requests byte for byte") {
  const std::string tail =
      " HTTP/1.1\r\nHost: nas.local:8080\r\nUser-Agent: SmallTV/1.2.3\r\nAccept: application/json\r\nConnection: "
      "close\r\n\r\n";
  CHECK(request_text(Source::Webhook, "my sym", Range::D1, Step::Quote, false, "http://nas.local:8080/price") ==
        "GET /price?symbol=my%20sym&range=1d&points=48" + tail);
  CHECK(request_text(Source::Webhook, "^X", Range::Max, Step::Quote, false, "http://nas.local:8080/p?key=1", 0) ==
        "GET /p?key=1&symbol=%5EX&range=max&points=0" + tail);
  CHECK(request_text(Source::Webhook, "X", Range::D1, Step::Quote, false, "http://nas.local:8080/p?") ==
        "GET /p?symbol=X&range=1d&points=48" + tail);
  CHECK(request_text(Source::Webhook, "X", Range::D1, Step::Quote, false, "http://nas.local:8080") ==
        "GET /?symbol=X&range=1d&points=48" + tail);
  CHECK(request_text(Source::Webhook, "X", Range::D1, Step::Quote, false, "http://nas.local:8080?a=b#frag") ==
        "GET /?a=b&symbol=X&range=1d&points=48" + tail);
  CHECK(request_text(Source::Webhook, "X", Range::D1) == "not configured");
  CHECK(request_text(Source::Webhook, "X", Range::D1, Step::Quote, false, "nas.local") == "not configured");
}

TEST_CASE("sends only valid listing keys to the portal and the published files") {
  for (const char* key : {"", "AAPL", "1-2", "1-2-3-4", "1234567890123-1-1", "1-1234567-1", "1-2-3\"){x}", "-1-2-3",
                          "1--3", "../1-2-3", "1-2-3 "}) {
    CAPTURE(key);
    CHECK(request_text(Source::Cash, key, Range::D1) == "not configured");
    CHECK(request_text(Source::Github, key, Range::D1) == "not configured");
  }
}

TEST_CASE("sets TLS and buffers per source") {
  Url url;
  REQUIRE(parse_url("https://a.example/", &url));
  Endpoint endpoint = source_endpoint(Source::Cash, url);
  CHECK((endpoint.tls == TlsProfile::Ecdhe && endpoint.receive_buffer == 512 && endpoint.send_buffer == 512));
  endpoint = source_endpoint(Source::Github, url);
  CHECK((endpoint.tls == TlsProfile::StaticRsa && endpoint.receive_buffer == 5120));
  endpoint = source_endpoint(Source::Yahoo, url);
  CHECK((endpoint.tls == TlsProfile::StaticRsa && endpoint.receive_buffer == 2048 && endpoint.port == 443));
  REQUIRE(parse_url("http://a.example/", &url));
  CHECK(source_endpoint(Source::Webhook, url).tls == TlsProfile::None);
}

TEST_CASE("keeps the headers in a redirected request") {
  const BoardInfo info = board();
  const SourceRequest request{Source::Webhook, Step::Quote, false, "X", Range::D1, 48, "", &info};
  Url url;
  REQUIRE(parse_url("http://b.example?x=1", &url));
  char buffer[300];
  BufferSink sink(buffer, sizeof buffer);
  write_redirected_request(request, url, sink);
  CHECK(std::string(buffer) ==
        "GET /?x=1 HTTP/1.1\r\nHost: b.example\r\nUser-Agent: SmallTV/1.2.3\r\nAccept: application/json\r\nConnection: "
        "close\r\n\r\n");
}

TEST_CASE("writes numbers and JSON to fixed buffers") {
  char buffer[200];
  BufferSink sink(buffer, sizeof buffer);
  {
    TextOut out(sink);
    JsonOut json(out);
    json.begin_object()
        .text("a", "q\"\\\n")
        .number("n", -5)
        .flag("t", true)
        .begin_array("d")
        .decimal(nullptr, {12345, -2})
        .decimal(nullptr, {-5, -3})
        .decimal(nullptr, {12, 3})
        .decimal(nullptr, {1, 12})
        .decimal(nullptr, {0, 0})
        .end_array()
        .begin_object("o")
        .end_object()
        .end_object();
    out.hex(0xbeef, 4).two(7);
  }
  CHECK(std::string(buffer) ==
        "{\"a\":\"q\\\"\\\\\\u000a\",\"n\":-5,\"t\":true,\"d\":[123.45,-0.005,12000,1e12,0],\"o\":{}}beef07");
  char small[8];
  BufferSink tight(small, sizeof small);
  TextOut out(tight);
  CHECK_FALSE(out.text("longer than eight").flush());
  CHECK((tight.full() && !out.good() && tight.size() == 0));
  CountingSink counter;
  TextOut(counter).number(-9223372036854775807 - 1);
  CHECK(counter.count == 20);
}

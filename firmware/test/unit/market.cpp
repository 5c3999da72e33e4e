// State of the market and place of the price, from the sources' replies.
#include <doctest/doctest.h>

#include <string.h>

#include <string>

#include "io/text_out.h"
#include "source/apply.h"

using namespace hearth;

namespace {

struct Fetched {
  SourceParser parser;
  Quote quote{};
  RowMemory memory{};
};

struct CharSink : ByteSink {
  bool write(const void* bytes, size_t size) override {
    text.append(static_cast<const char*>(bytes), size);
    return true;
  }
  std::string text;
};

std::string number(Decimal value) {
  CharSink sink;
  TextOut(sink).decimal(value);
  return sink.text;
}

SourceRequest ask(Source source) { return SourceRequest{source, Step::Quote, false, "X", Range::D1, 48, "", nullptr}; }

void fetch(Fetched* fetched, const SourceRequest& request, const std::string& body) {
  fetched->parser.start(request.source, request.step);
  fetched->parser.write(body.data(), body.size());
  REQUIRE(fetched->parser.finish() == Reason::None);
  apply_quote(fetched->parser, request, true, &fetched->memory, &fetched->quote);
}

}  // namespace

TEST_CASE("knows from the chart whether the market is open, and where the price stands") {
  const std::string periods =
      "\"previousClose\":100,\"currentTradingPeriod\":{\"pre\":{\"start\":1000,\"end\":2000},"
      "\"regular\":{\"start\":2000,\"end\":5000},\"post\":{\"start\":5000,\"end\":6000}},"
      "\"regularMarketDayLow\":100,\"regularMarketDayHigh\":120,\"fiftyTwoWeekLow\":110,\"fiftyTwoWeekHigh\":210";
  const auto at = [&](int64_t now, bool extended = false) {
    Fetched f;
    SourceRequest request = ask(Source::Yahoo);
    request.extended = extended;
    // Candles at 1 500 (before), 4 900 (the last regular one) and 5 500 (after).
    const std::string body =
        "{\"chart\":{\"result\":[{\"meta\":{\"currency\":\"USD\",\"regularMarketPrice\":110,\"regularMarketTime\":4990,"
        "\"gmtoffset\":3600," +
        periods +
        "},\"timestamp\":[1500,4900,5500],\"indicators\":{\"quote\":[{\"close\":"
        "[101,110,112.2]}]}}],\"error\":null}}";
    f.parser.start(request.source, request.step);
    f.parser.write(body.data(), body.size());
    REQUIRE(f.parser.finish() == Reason::None);
    f.parser.result.now = now;
    apply_quote(f.parser, request, true, &f.memory, &f.quote);
    return f.quote;
  };
  CHECK(at(0).market == Market::Unknown);
  CHECK(at(500).market == Market::Closed);
  CHECK(at(1000).market == Market::Before);
  CHECK(at(2000).market == Market::Open);
  CHECK(at(4999).market == Market::Open);
  CHECK(at(5000).market == Market::After);
  CHECK(at(6000).market == Market::Closed);
  CHECK(at(6000).traded_s == 8590);
  CHECK((at(0).day_place == 51 && at(0).year_place == 1));
  CHECK(number(at(5600, true).extended) == "112.2");
  CHECK(at(5600, true).extended_percent == 200);
  CHECK(is_zero(at(5600).extended));
  CHECK(is_zero(at(4000, true).extended));
  SourceRequest late = ask(Source::Yahoo);
  late.extended = true;
  CharSink sink;
  Url url;
  static const BoardInfo kBoard{};
  late.board = &kBoard;
  source_address(late, &url);
  write_source_request(late, url, sink);
  CHECK(sink.text.find("&interval=5m&includePrePost=true HTTP/1.0") != std::string::npos);
}

TEST_CASE("takes the range of the day from a webhook, if the price is in it") {
  Fetched f;
  fetch(&f, ask(Source::Webhook), "{\"price\":7,\"low\":6,\"high\":10}");
  CHECK(f.quote.day_place == 26);
  CHECK(f.quote.market == Market::Unknown);
  for (const char* body :
       {"{\"price\":7,\"low\":8,\"high\":10}", "{\"price\":7,\"low\":6,\"high\":6.5}", "{\"price\":7}",
        "{\"price\":7,\"low\":7,\"high\":7}", "{\"price\":7,\"low\":\"6\",\"high\":null}"}) {
    Fetched none;
    fetch(&none, ask(Source::Webhook), body);
    CHECK(none.quote.day_place == 0);
  }
}

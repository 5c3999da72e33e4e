#include <doctest/doctest.h>

#include <string.h>

#include "chunks.h"
#include "io/text_out.h"
#include "source/apply.h"

using namespace hearth;

namespace {

struct Fetched {
  SourceParser parser;
  Quote quote{};
  RowMemory memory{};
  NextStep next = NextStep::Nothing;
  Reason reason = Reason::None;
};

std::string number(Decimal value) {
  char buffer[40];
  BufferSink sink(buffer, sizeof buffer);
  TextOut(sink).decimal(value);
  return buffer;
}

SourceRequest ask(Source source, Range range, Step step = Step::Quote, uint8_t points = 48) {
  return SourceRequest{source, step, false, "X", range, points, "", nullptr};
}

/// Parses the reply split in every way; all results must agree. Applies the last one.
void fetch(Fetched* fetched, const SourceRequest& request, const std::string& body, bool series_wanted = true) {
  bool same = false;
  chunks::every_way(body, &same, [&](const std::vector<std::string>& pieces) {
    SourceParser& parser = fetched->parser;
    parser.start(request.source, request.step);
    for (const auto& piece : pieces) {
      if (!parser.write(piece.data(), piece.size())) break;
    }
    fetched->reason = parser.finish();
    std::string all = std::to_string(static_cast<int>(fetched->reason)) + number(parser.result.price) +
                      parser.result.name + parser.result.currency + std::to_string(parser.series.count());
    return all;
  });
  CHECK(same);
  if (fetched->reason != Reason::None) return;
  if (request.step == Step::Quote)
    fetched->next = apply_quote(fetched->parser, request, series_wanted, &fetched->memory, &fetched->quote);
  if (request.step == Step::PreviousClose) apply_previous_close(fetched->parser, &fetched->memory, &fetched->quote);
  if (request.step == Step::Series) apply_series(fetched->parser, request, fetched->memory, &fetched->quote);
  fetched->quote.state = QuoteState::Fresh;
}

Reason reason_of(Source source, const std::string& body, Step step = Step::Quote) {
  Fetched fetched;
  fetch(&fetched, ask(source, Range::D1, step), body);
  return fetched.reason;
}

constexpr int64_t kDay = 86400;
constexpr int64_t kMonday = 1700488800;  // 2023-11-20 14:00 UTC

/// A chart reply. `days` are offsets from Monday of each candle, `closes` JSON values.
std::string chart(const std::string& meta, const std::vector<double>& days, const std::vector<std::string>& closes) {
  std::string times;
  std::string values;
  for (double day : days)
    times +=
        (times.empty() ? "" : ",") + std::to_string(static_cast<long long>(kMonday + static_cast<int64_t>(day * kDay)));
  for (const auto& close : closes) values += (values.empty() ? "" : ",") + close;
  return "{\"chart\":{\"result\":[{\"meta\":{" + meta + "},\"timestamp\":[" + times +
         "],\"indicators\":{\"quote\":[{\"open\":[1],\"close\":[" + values + "]}]}}],\"error\":null}}";
}

std::string meta(const std::string& price, double market_day,
                 const std::string& more = "\"previousClose\":1,\"chartPreviousClose\":50") {
  return "\"currency\":\"USD\",\"regularMarketPrice\":" + price + ",\"regularMarketTime\":" +
         std::to_string(static_cast<long long>(kMonday + static_cast<int64_t>(market_day * kDay))) +
         ",\"gmtoffset\":-18000" + (more.empty() ? "" : "," + more);
}

}  // namespace

TEST_CASE("chart of one day: reads previousClose, names and currency") {
  Fetched f;
  fetch(&f, ask(Source::Yahoo, Range::D1),
        chart(meta("110.5", 0,
                   "\"longName\":\"A Very Long Name "
                   "Incorporated\",\"shortName\":\"Short\",\"chartPreviousClose\":90,\"previousClose\":100"),
              {0, 0.01, 0.02}, {"108", "null", "109"}));
  REQUIRE(f.reason == Reason::None);
  CHECK(number(f.quote.price) == "110.5");
  CHECK(number(f.quote.previous) == "100");
  CHECK(number(f.quote.change) == "10.5");
  CHECK(f.quote.percent == 1050);
  CHECK(std::string(f.quote.name) == "Short");
  CHECK(std::string(f.quote.currency) == "USD");
  CHECK(std::string(f.quote.range) == "1d");
  CHECK(f.quote.spark.count == 2);
  CHECK(f.next == NextStep::Nothing);
  fetch(&f, ask(Source::Yahoo, Range::D1),
        chart(meta("110", 0,
                   "\"shortName\":\"\",\"longName\":\"Äußerst lange Aktiengesellschaft\",\"chartPreviousClose\":100"),
              {0}, {"108"}));
  CHECK(std::string(f.quote.name) == "Äußerst lange Aktie");
  CHECK(f.quote.percent == 1000);
  CHECK(f.quote.spark.count == 0);
}

TEST_CASE("chart of every timeframe: computes the change against the close of the day before") {
  // Friday 99, Monday's running candle 110; the close before the period (50) and a wrong previousClose (1) must not be
  // used.
  for (Range range : {Range::Mo1, Range::Mo3, Range::Mo6, Range::Ytd}) {
    Fetched f;
    fetch(&f, ask(Source::Yahoo, range), chart(meta("110", 0), {-5, -4, -3, 0}, {"90", "95", "99", "110"}));
    CHECK(number(f.quote.previous) == "99");
    CHECK(f.quote.percent == 1111);
    CHECK(f.next == NextStep::Nothing);
  }
  Fetched five;
  fetch(&five, ask(Source::Yahoo, Range::D5),
        chart(meta("110", 0, "\"previousClose\":99.5,\"chartPreviousClose\":50"), {-3, 0}, {"99", "110"}));
  CHECK(number(five.quote.previous) == "99.5");
  fetch(&five, ask(Source::Yahoo, Range::D5),
        chart(meta("110", 0, "\"chartPreviousClose\":50"), {-3, -2.9, 0, 0.02}, {"98", "99", "109", "110"}));
  CHECK(number(five.quote.previous) == "99");
  std::vector<double> days;
  std::vector<std::string> closes;
  for (int i = 0; i < 20; i++) {
    days.push_back(i < 10 ? -3 + i * 0.02 : (i - 10) * 0.02);
    closes.push_back(i < 10 ? "98" : "110");
  }
  Fetched same;
  fetch(&same, ask(Source::Yahoo, Range::D5),
        chart(meta("110", 0.2, "\"previousClose\":50,\"chartPreviousClose\":50"), days, closes));
  CHECK(same.next == NextStep::PreviousClose);
  fetch(&same, ask(Source::Yahoo, Range::D5, Step::PreviousClose), chart(meta("110", 0.2), {-3, 0.2}, {"99", "110"}));
  CHECK(number(same.quote.previous) == "99");
  for (Range range : {Range::Y1, Range::Y2, Range::Y5, Range::Max}) {
    Fetched f;
    fetch(&f, ask(Source::Yahoo, range), chart(meta("110", 0), {-70, -35, 0}, {"40", "60", "110"}));
    CHECK(f.next == NextStep::PreviousClose);
    CHECK_FALSE(f.quote.has_change);
    fetch(&f, ask(Source::Yahoo, range, Step::PreviousClose), chart(meta("110", 0), {-4, -3, 0}, {"95", "99", "110"}));
    CHECK(f.quote.percent == 1111);
    CHECK(f.quote.spark.count == 3);
    f.next = NextStep::Nothing;
    fetch(&f, ask(Source::Yahoo, range), chart(meta("120", 0), {-70, -35, 0}, {"40", "60", "120"}));
    CHECK(f.next == NextStep::Nothing);
    CHECK(f.quote.percent == 2121);
    fetch(&f, ask(Source::Yahoo, range), chart(meta("120", 1), {-70, -35, 0}, {"40", "60", "120"}));
    CHECK(f.next == NextStep::PreviousClose);
  }
}

TEST_CASE("chart: handles nulls, zeros, holidays, weekends and markets in all time zones") {
  Fetched f;
  fetch(&f, ask(Source::Yahoo, Range::Mo1), chart(meta("110", 0), {-5, -4, -3, 0}, {"97", "null", "0", "110"}));
  CHECK(number(f.quote.previous) == "97");
  // Before Monday's opening, the market time is still Friday's, so the previous close is Thursday's.
  fetch(&f, ask(Source::Yahoo, Range::Mo1), chart(meta("99", -3), {-5, -4, -3}, {"90", "95", "99"}));
  CHECK(number(f.quote.previous) == "95");
  // Tokyo opens on Monday 00:00 UTC, which is the same UTC day as New York's Monday, but a different local day from
  // 22:00 UTC on Sunday.
  const std::string tokyo = "\"regularMarketPrice\":110,\"gmtoffset\":32400,\"regularMarketTime\":" +
                            std::to_string(kMonday - 14 * 3600 + 6 * 3600);
  fetch(&f, ask(Source::Yahoo, Range::Mo1), chart(tokyo, {-1.6, -14.0 / 24}, {"99", "110"}));
  CHECK(number(f.quote.previous) == "99");
  // The first trading day of the year: no earlier candle is charted, so the close before the period is used.
  fetch(&f, ask(Source::Yahoo, Range::Ytd), chart(meta("110", 0, "\"chartPreviousClose\":88"), {0}, {"110"}));
  CHECK(number(f.quote.previous) == "88");
  // Neither candle nor time: request days.
  fetch(&f, ask(Source::Yahoo, Range::Mo1), "{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":5}}]}}");
  CHECK(f.next == NextStep::PreviousClose);
  fetch(&f, ask(Source::Yahoo, Range::Mo1, Step::PreviousClose),
        "{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":5}}]}}");
  CHECK_FALSE(f.quote.has_change);
  fetch(&f, ask(Source::Yahoo, Range::Y1, Step::PreviousClose),
        chart(meta("110", 0, "\"chartPreviousClose\":88"), {0}, {"110"}));
  CHECK(number(f.quote.previous) == "88");
}

TEST_CASE("chart: accepts its parts in any order") {
  Fetched f;
  const std::string times = std::to_string(kMonday - 3 * kDay) + "," + std::to_string(kMonday);
  fetch(&f, ask(Source::Yahoo, Range::Mo1),
        "{\"chart\":{\"result\":[{\"indicators\":{\"quote\":[{\"close\":[99,110]}]},\"timestamp\":[" + times +
            "],\"meta\":{" + meta("110", 0) + "}}]}}");
  CHECK(number(f.quote.previous) == "99");
}

TEST_CASE("chart: rejects anything but a quote") {
  CHECK(reason_of(Source::Yahoo, "{\"chart\":{\"result\":null,\"error\":{\"code\":\"Not Found\"}}}") ==
        Reason::UnknownSymbol);
  CHECK(reason_of(Source::Yahoo, "{\"chart\":{\"result\":[]}}") == Reason::NoPrice);
  CHECK(reason_of(Source::Yahoo, "{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":\"5\"}}]}}") ==
        Reason::NoPrice);
  CHECK(reason_of(Source::Yahoo, "{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":null}}]}}") ==
        Reason::NoPrice);
  CHECK(reason_of(Source::Yahoo, "Too Many Requests") == Reason::BadAnswer);
  CHECK(reason_of(Source::Yahoo, "") == Reason::BadAnswer);
  CHECK(reason_of(Source::Yahoo, "{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":5}") == Reason::BadAnswer);
}

TEST_CASE("portal: converts strings to numbers") {
  Fetched f;
  const char* body = R"({"data":{"quoteList":{"quoteList":{"edges":[{"node":{"lval":"1'234.50",)"
                     R"("iNetVperprV":"-15,50","perfPercentage":"-1.24","mCur":"CHF","mShortName":"Nestlé N"}}]}}}})";
  fetch(&f, ask(Source::Cash, Range::Mo6), body);
  REQUIRE(f.reason == Reason::None);
  CHECK(number(f.quote.price) == "1234.5");
  CHECK(number(f.quote.change) == "-15.5");
  CHECK(f.quote.percent == -124);
  CHECK(number(f.quote.previous) == "1250");
  CHECK(std::string(f.quote.name) == "Nestlé N");
  CHECK(f.next == NextStep::Series);
  fetch(&f, ask(Source::Cash, Range::Mo6, Step::Series),
        R"({"data":{"integration":{"solid":{"chart":{"timeserie":{"prices":[{"close":1200},)"
        R"({"close":null},{"close":1250.5},{"close":1234.5}]}}}}}})");
  CHECK(f.quote.spark.count == 3);
  const Spark before = f.quote.spark;
  fetch(&f, ask(Source::Cash, Range::Mo6, Step::Series),
        R"({"data":{"integration":{"solid":{"chart":{"timeserie":{"prices":[]}}}}}})");
  CHECK(memcmp(&before, &f.quote.spark, sizeof before) == 0);
  fetch(&f, ask(Source::Cash, Range::Mo6), body, false);
  CHECK(f.next == NextStep::Nothing);
  fetch(&f, ask(Source::Cash, Range::Mo6, Step::Quote, 1), body);
  CHECK(f.next == NextStep::Nothing);
  CHECK(reason_of(Source::Cash, R"({"data":null})", Step::Series) == Reason::BadAnswer);
}

TEST_CASE("portal: reports unknown keys and missing prices") {
  const auto node = [](const std::string& value) {
    return "{\"data\":{\"quoteList\":{\"quoteList\":{\"edges\":[{\"node\":{\"lval\":" + value + "}}]}}}}";
  };
  for (const char* value : {"\"\"", "null", "\"-\"", "\"0.00\"", "\"-5\"", "\"1.2.3\"",
                            "\"11111111111111111111111111111111111111111111\""}) {
    CAPTURE(value);
    CHECK(reason_of(Source::Cash, node(value)) == Reason::NoPrice);
  }
  CHECK(reason_of(Source::Cash, node("12.5")) == Reason::None);
  CHECK(reason_of(Source::Cash, node("\"+1 234,5\"")) == Reason::None);
  CHECK(reason_of(Source::Cash, node("\"1’234\xc2\xa0"
                                     "567\xe2\x80\xaf"
                                     "000\"")) == Reason::None);
  CHECK(reason_of(Source::Cash, R"({"data":{"quoteList":{"quoteList":{"edges":[]}}}})") == Reason::UnknownSymbol);
  CHECK(reason_of(Source::Cash, R"({"errors":[{"message":"x"}]})") == Reason::UnknownSymbol);
}

TEST_CASE("webhook: reads fields, derives the change and rejects invalid values") {
  Fetched f;
  fetch(&f, ask(Source::Webhook, Range::D1),
        R"({"price":101,"change":1,"currency":"€ and more","name":"n","range":"1 WEEK LONG","spark":)"
        R"([1,null,2,"x",3],"ok":true,"extra":{"price":5}})");
  REQUIRE(f.reason == Reason::None);
  CHECK(f.quote.percent == 100);
  CHECK(number(f.quote.previous) == "100");
  CHECK(std::string(f.quote.currency) == "€ a");
  CHECK(f.quote.currency_is_prefix);
  CHECK(std::string(f.quote.range) == "1 WEEK ");
  CHECK(f.quote.spark.count == 3);
  fetch(&f, ask(Source::Webhook, Range::Mo3), R"({"price":110,"changePct":10})");
  CHECK((number(f.quote.change) == "10" && f.quote.percent == 1000 && number(f.quote.previous) == "100" &&
         f.quote.has_change));
  CHECK(std::string(f.quote.range) == "3mo");
  fetch(&f, ask(Source::Webhook, Range::D1), R"({"price":110,"change":3,"changePct":7.125})");
  CHECK((number(f.quote.change) == "3" && f.quote.percent == 713));
  fetch(&f, ask(Source::Webhook, Range::D1), R"({"price":0,"changePct":-100})");
  CHECK((f.reason == Reason::None && !f.quote.has_change));
  fetch(&f, ask(Source::Webhook, Range::D1), R"({"price":5,"change":5})");
  CHECK((f.reason == Reason::None && !f.quote.has_change));
  fetch(&f, ask(Source::Webhook, Range::D1), R"({"price":-37.63,"change":-55.9})");
  CHECK(f.quote.percent == -30597);
  fetch(&f, ask(Source::Webhook, Range::D1), R"({"price":1e9})");
  CHECK((number(f.quote.price) == "1000000000" && !f.quote.has_change && f.quote.spark.count == 0));
  CHECK(reason_of(Source::Webhook, R"({"price":1,"ok":false})") == Reason::SourceSaysNo);
  CHECK(reason_of(Source::Webhook, R"({"ok":true})") == Reason::NoPrice);
  CHECK(reason_of(Source::Webhook, R"({"price":null})") == Reason::NoPrice);
  CHECK(reason_of(Source::Webhook, R"({"price":"12"})") == Reason::NoPrice);
  CHECK(reason_of(Source::Webhook, R"({"price":NaN})") == Reason::BadAnswer);
  CHECK(reason_of(Source::Webhook, "[]") == Reason::NoPrice);
}

TEST_CASE("thins out a series evenly, and keeps the newest point") {
  Series series;
  series.start();
  for (int i = 0; i <= 100; i++) series.add(Decimal{i, 0});
  Spark spark;
  series.thin_out(11, &spark);
  REQUIRE(spark.count == 11);
  CHECK((spark.low == 0 && spark.high == 100 * 1 && spark.first == 0));
  for (int k = 0; k < 11; k++) CHECK(spark.points[k] == (65535 * k + 5) / 10);
  series.thin_out(200, &spark);
  CHECK((spark.count == 60 && spark.points[59] == 65535));
  series.thin_out(1, &spark);
  CHECK(spark.count == 0);
  series.newest(&spark);
  CHECK((spark.count == 60 && spark.first == 41));
  series.start();
  series.newest(&spark);
  CHECK(spark.count == 0);
}

TEST_CASE("bounds very long and very wide series") {
  Series series;
  series.start();
  for (int i = 1; i <= 5000; i++) series.add(Decimal{i, 0});
  CHECK(series.count() <= kSeriesCapacity);
  Spark spark;
  series.thin_out(60, &spark);
  CHECK((spark.count == 60 && spark.points[59] == 65535 && spark.points[0] == 0));
  series.start();
  for (int exponent : {-9, 0, 9, 20}) series.add(Decimal{1, static_cast<int8_t>(exponent)});
  series.add(Decimal{-123456789012345678, -10});
  series.thin_out(60, &spark);
  CHECK((spark.count == 5 && spark.points[3] == 65535));
  series.start();
  series.add(Decimal{7, 0});
  series.add(Decimal{7, 0});
  series.thin_out(60, &spark);
  CHECK((spark.points[0] == 32767 && spark.points[1] == 32767));
  CHECK(spark_height(spark, Decimal{7, 0}) == 32767);
}

TEST_CASE("computes the change over the span and the height of the live price") {
  Fetched f;
  Decimal change;
  int32_t percent = 0;
  CHECK_FALSE(span_change(f.quote, &change, &percent));
  fetch(&f, ask(Source::Webhook, Range::D1), R"({"price":120,"spark":[100,140,110]})");
  REQUIRE(span_change(f.quote, &change, &percent));
  CHECK((number(change) == "20" && percent == 2000));
  CHECK(spark_height(f.quote.spark, Decimal{120, 0}) == 32767);
  CHECK(spark_height(f.quote.spark, Decimal{100, 0}) == 0);
  CHECK(spark_height(f.quote.spark, Decimal{90, 0}) == -16383);
  CHECK(spark_height(f.quote.spark, Decimal{1, 9}) == 131070);
  CHECK(spark_height(f.quote.spark, Decimal{-1, 24}) == -65535);
  CHECK(spark_height(f.quote.spark, Decimal{-1000, 0}) == -65535);
}

TEST_CASE("reads answers of programs for Windows: a byte order mark, and texts in another encoding") {
  Fetched fetched;
  fetch(&fetched, ask(Source::Webhook, Range::D1), "\xef\xbb\xbf{\"price\":5,\"name\":\"M\xfcnze \xe2\x82\"}");
  CHECK(fetched.reason == Reason::None);
  CHECK(std::string(fetched.quote.name) == "M\xef\xbf\xbdnze \xef\xbf\xbd");
}

TEST_CASE("calls a price that is too small for a number missing, but takes a price of zero") {
  CHECK(reason_of(Source::Webhook, "{\"price\":1e-400}") == Reason::NoPrice);
  CHECK(reason_of(Source::Webhook, "{\"price\":0.0e5}") == Reason::None);
  CHECK(reason_of(Source::Yahoo, "{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":1e-99}}]}}") ==
        Reason::NoPrice);
}

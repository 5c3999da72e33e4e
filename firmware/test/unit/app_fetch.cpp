#include <doctest/doctest.h>

#include <algorithm>

#include "device.h"
#include "quote/format.h"

using namespace hearth;
using device::Device;
using device::ok;

namespace {

const char kChart[] = "query1.finance.yahoo.com";
const char kMirror[] = "query2.finance.yahoo.com";

std::string settings(const std::string& ticker, const std::string& more = "") {
  return "{\"wifi\":[{\"ssid\":\"home\",\"pass\":\"password\"}]," + more + "\"ticker\":{" + ticker + "}}";
}
std::string one(const std::string& symbol, const std::string& source = "yahoo") {
  return "\"symbols\":[{\"symbol\":\"" + symbol + "\",\"source\":\"" + source + "\"}]";
}
std::string chart(const std::string& price) {
  return ok("{\"chart\":{\"result\":[{\"meta\":{\"currency\":\"USD\",\"regularMarketPrice\":" + price +
            ",\"previousClose\":100,\"regularMarketTime\":1700488800},\"timestamp\":[1,2],\"indicators\":{\"quote\":[{"
            "\"close\":[100,101]}]}}]}}");
}
const Quote& quote(Device& d, int row = 0) { return d.app.view().quotes[row]; }

}  // namespace

TEST_CASE("shows a price, refreshes it each interval and marks it as old otherwise") {
  Device d;
  d.net.replies[kChart] = {chart("110")};
  d.start(settings(one("AAPL")));
  d.run(2000);
  REQUIRE(d.net.requests.size() == 1);
  CHECK(d.net.requests[0].rfind("GET /v8/finance/chart/AAPL?range=1d&interval=5m HTTP/1.0\r\n", 0) == 0);
  CHECK((quote(d).state == QuoteState::Fresh && quote(d).price.mantissa == 110 && quote(d).percent == 1000));
  d.run(118000);
  CHECK(d.net.requests.size() == 1);
  d.run(4000);
  CHECK(d.net.requests.size() == 2);
  d.net.replies[kChart] = {"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"};
  d.net.replies[kMirror] = {"HTTP/1.1 429 Slow down\r\nContent-Length: 0\r\n\r\n"};
  d.run(125000);
  CHECK((quote(d).state == QuoteState::Stale && quote(d).reason == Reason::RateLimited && quote(d).http_status == 429 &&
         quote(d).price.mantissa == 110));
  CHECK(d.net.opened[2] == "query1.finance.yahoo.com:443");
  CHECK(d.net.opened[3] == "query2.finance.yahoo.com:443");
  const size_t before = d.net.opened.size();
  d.run(50000);
  CHECK(d.net.opened.size() == before);  // a host that asks for patience gets a minute
  d.net.replies[kChart] = {chart("120")};
  d.run(60000);
  CHECK((quote(d).state == QuoteState::Fresh && quote(d).reason == Reason::None && quote(d).price.mantissa == 120));
}

TEST_CASE("names a reason for each failure") {
  struct Case {
    std::string reply;
    NetFault fault;
    Reason reason;
  };
  const Case cases[] = {
      {"", NetFault::NoAddress, Reason::NoAddress},
      {"", NetFault::Refused, Reason::NoConnection},
      {"", NetFault::Tls, Reason::TlsFailed},
      {"", NetFault::Certificate, Reason::Certificate},
      {"", NetFault::None, Reason::TooSlow},
      {ok("not json"), NetFault::None, Reason::BadAnswer},
      {"not http at all\r\n\r\n", NetFault::None, Reason::BadAnswer},
      {"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"chart\"", NetFault::None, Reason::NoConnection},
      {"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", NetFault::None, Reason::TooLarge},
      {"HTTP/1.1 503 Busy\r\nContent-Length: 999999\r\n\r\n", NetFault::None, Reason::HttpStatus},
      {"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", NetFault::None, Reason::UnknownSymbol},
      {"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", NetFault::None, Reason::HttpStatus},
      {"HTTP/1.1 302 Found\r\nLocation: http://query1.finance.yahoo.com/plain\r\nContent-Length: 0\r\n\r\n",
       NetFault::None, Reason::HttpStatus},
      {"HTTP/1.1 302 Found\r\nLocation: /round\r\nContent-Length: 0\r\n\r\n", NetFault::None, Reason::HttpStatus},
      {ok("{\"chart\":{\"result\":null}}"), NetFault::None, Reason::UnknownSymbol},
  };
  for (const Case& one_case : cases) {
    for (bool at_once : {false, true}) {
      Device d;
      CAPTURE(one_case.reply);
      d.net.replies[kChart] = {one_case.reply};
      d.net.replies[kMirror] = {one_case.reply};
      d.net.fault_next = one_case.fault;
      d.net.fail_at_once = at_once;
      d.start(settings(one("AAPL")));
      d.run(20000);
      CHECK(std::string(reason_code(quote(d).reason)) == reason_code(one_case.reason));
      CHECK(quote(d).state == QuoteState::Empty);
    }
  }
}

TEST_CASE("follows at most three redirects and none from https to http") {
  Device d;
  d.net.replies["hook.example"] = {
      "HTTP/1.1 301 Moved\r\nLocation: https://other.example/a%20b?x=1#f\r\nContent-Length: 3\r\n\r\nabc"};
  d.net.replies["other.example"] = {"HTTP/1.1 307 Moved\r\nLocation: /deeper\r\nContent-Length: 0\r\n\r\n",
                                    ok("{\"price\":5}")};
  d.start(settings("\"webhookUrl\":\"http://hook.example:81/q\"," + one("X", "webhook")));
  d.run(5000);
  REQUIRE(d.net.requests.size() == 3);
  CHECK(d.net.requests[0].rfind("GET /q?symbol=X&range=1d&points=48 HTTP/1.1\r\nHost: hook.example:81\r\n", 0) == 0);
  CHECK(d.net.requests[1].rfind("GET /a%20b?x=1 HTTP/1.1\r\nHost: other.example\r\n", 0) == 0);
  CHECK(d.net.requests[2].rfind("GET /deeper HTTP/1.1\r\n", 0) == 0);
  CHECK(quote(d).state == QuoteState::Fresh);
}

TEST_CASE("requests weekly candles once a trading day") {
  Device d;
  const std::string weekly =
      ok("{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":110,\"regularMarketTime\":1700488800},"
         "\"timestamp\":[1699000000,1700488800],\"indicators\":{\"quote\":[{\"close\":[50,110]}]}}]}}");
  const std::string daily =
      ok("{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":110,\"regularMarketTime\":1700488800},"
         "\"timestamp\":[1700229600,1700488800],\"indicators\":{\"quote\":[{\"close\":[100,110]}]}}]}}");
  d.net.replies[kChart] = {weekly, "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n", weekly, daily, weekly};
  d.start(settings("\"range\":\"1y\"," + one("AAPL")));
  d.run(3000);
  CHECK(d.net.requests.size() == 2);
  CHECK((quote(d).state == QuoteState::Fresh && !quote(d).has_change && quote(d).reason == Reason::None));
  d.run(121000);
  CHECK(d.net.requests.size() == 4);
  CHECK(d.net.requests[3].rfind("GET /v8/finance/chart/AAPL?range=5d&interval=1d ", 0) == 0);
  CHECK(quote(d).percent == 1000);
  d.run(240000);
  CHECK(d.net.requests.size() == 6);
  CHECK((quote(d).percent == 1000 && quote(d).has_change));
}

TEST_CASE("fetches the portal quote with one retry, then the series, which may fail") {
  Device d;
  const std::string good =
      ok(R"({"data":{"quoteList":{"quoteList":{"edges":[{"node":{"lval":"12.50","iNetVperprV":"0.50",)"
         R"("perfPercentage":"4.17","mCur":"CHF"}}]}}}})");
  const std::string series =
      ok(R"({"data":{"integration":{"solid":{"chart":{"timeserie":{"prices":[{"close":10},{"close":12}]}}}}}})");
  d.net.replies["www.cash.ch"] = {ok("oops"), good, series, good, ok("oops"), good, series};
  d.start(settings(one("1-2-3", "cash")));
  d.run(5000);
  CHECK(d.net.requests.size() == 3);
  CHECK((quote(d).spark.count == 2 && quote(d).reason == Reason::None && quote(d).percent == 417));
  d.run(120000);
  CHECK(d.net.requests.size() == 5);
  CHECK((quote(d).spark.count == 2 && quote(d).state == QuoteState::Fresh));
  Device hidden;
  hidden.net.replies["www.cash.ch"] = {good};
  hidden.start(settings("\"showChart\":false," + one("1-2-3", "cash")));
  hidden.run(5000);
  CHECK(hidden.net.requests.size() == 1);
}

TEST_CASE("requests nothing that is not configured") {
  Device d;
  d.system.info.repo_owner = "";
  d.start(
      settings("\"symbols\":[{\"symbol\":\"1-2-3\",\"source\":\"github\"},{\"symbol\":\"X\",\"source\":\"webhook\"},{"
               "\"symbol\":\"AAPL\",\"source\":\"cash\"}]"));
  d.run(5000);
  CHECK(d.net.opened.empty());
  CHECK((quote(d, 0).reason == Reason::NotConfigured && quote(d, 1).reason == Reason::NotConfigured &&
         quote(d, 2).reason == Reason::UnknownSymbol));
}

TEST_CASE("updates other symbols when one fails") {
  Device d;
  d.net.replies[kChart] = {ok("bad")};
  d.net.replies[kMirror] = {ok("bad")};
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.start(
      settings("\"webhookUrl\":\"http://hook.example/"
               "q\",\"symbols\":[{\"symbol\":\"A\"},{\"symbol\":\"B\",\"source\":\"webhook\"}]"));
  d.run(4000);
  CHECK((quote(d, 0).reason == Reason::BadAnswer && quote(d, 1).state == QuoteState::Fresh));
}

TEST_CASE("skips TLS requests on the ESP8266 when the heap is low") {
  Device d;
  d.system.info.chip = Chip::Esp8266;
  d.system.block = 15999;
  d.system.heap = 14047;
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.start(
      settings("\"webhookUrl\":\"http://hook.example/"
               "q\",\"symbols\":[{\"symbol\":\"1-2-3\",\"source\":\"cash\"},{\"symbol\":\"A\"},{\"symbol\":\"B\","
               "\"source\":\"webhook\"}]"));
  d.run(5000);
  CHECK((quote(d, 0).reason == Reason::LowMemory && quote(d, 1).reason == Reason::LowMemory &&
         quote(d, 2).state == QuoteState::Fresh));
  CHECK(d.net.opened.size() == 1);
  d.system.block = 16000;
  d.system.heap = 14048;
  d.run(25000);
  CHECK(d.net.opened.size() >= 3);
}

TEST_CASE("marks prices as old without a network and refreshes them with it") {
  Device d;
  d.net.replies[kChart] = {chart("110")};
  d.start(settings(one("AAPL")));
  d.run(6000);
  CHECK(d.app.view().scene == Scene::Ticker);
  d.wifi.now = WifiState::Off;
  d.wifi.good.clear();
  d.run(300);
  CHECK((quote(d).state == QuoteState::Stale && quote(d).reason == Reason::NoNetwork &&
         d.app.view().scene == Scene::Ticker));
  const size_t joins = d.wifi.joined.size();
  d.run(62000);
  CHECK(d.wifi.joined.size() >= joins + 2);
  CHECK(d.net.requests.size() == 1);
  d.wifi.good["home"] = "password";
  d.run(32000);
  CHECK((quote(d).state == QuoteState::Fresh && quote(d).reason == Reason::None));
}

TEST_CASE(
    "a price that is not renewed is called old after three intervals, also when the clock stood still in between") {
  Device d;
  d.net.replies[kChart] = {chart("110"), ""};
  d.net.replies[kMirror] = {""};
  d.net.repeat = false;
  d.start(settings("\"pollSec\":3600," + one("AAPL")));
  d.run(2000);
  CHECK(quote(d).state == QuoteState::Fresh);
  d.clock.ms += 3 * 3600 * 1000 + 5000;
  d.app.tick();
  CHECK(quote(d).state == QuoteState::Stale);
  CHECK(quote(d).age_s >= 3 * 3600);
}

TEST_CASE("waits as long as a host asks for, with all rows of that host, and asks no mirror") {
  Device d;
  d.net.replies[kChart] = {"HTTP/1.1 429 Slow down\r\nRetry-After: 300\r\nContent-Length: 0\r\n\r\n"};
  d.net.replies[kMirror] = {chart("110")};
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.start(
      settings("\"webhookUrl\":\"http://hook.example/q\",\"symbols\":[{\"symbol\":\"A\"},{\"symbol\":\"B\"},{"
               "\"symbol\":\"C\",\"source\":\"webhook\"}]"));
  d.run(5000);
  CHECK(d.net.opened == std::vector<std::string>{"query1.finance.yahoo.com:443", "hook.example:80"});
  CHECK(quote(d, 0).reason == Reason::RateLimited);
  d.run(290000);
  CHECK(std::count(d.net.opened.begin(), d.net.opened.end(), "query1.finance.yahoo.com:443") == 1);
  CHECK(std::count(d.net.opened.begin(), d.net.opened.end(), "hook.example:80") == 3);
  d.net.replies[kChart] = {chart("110")};
  d.run(20000);
  CHECK((quote(d, 0).state == QuoteState::Fresh && quote(d, 1).state == QuoteState::Fresh));
  d.net.replies[kChart] = {"HTTP/1.1 429 x\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\nContent-Length: 0\r\n\r\n"};
  d.run(130000);
  CHECK(quote(d, 0).reason == Reason::RateLimited);
}

TEST_CASE("shows London's pence, Tel Aviv's agorot and Johannesburg's cents in pounds, shekels and rand") {
  struct Case {
    const char* given;
    const char* shown;
  };
  for (const Case& one_case : {Case{"GBp", "GBP"}, Case{"ILA", "ILS"}, Case{"ZAc", "ZAR"}}) {
    Device d;
    d.net.replies[kChart] = {
        ok(std::string("{\"chart\":{\"result\":[{\"meta\":{\"currency\":\"") + one_case.given +
           "\",\"regularMarketPrice\":891.2,\"previousClose\":900},\"indicators\":{\"quote\":[{\"close\":[880,891.2]}]"
           "}}]}}")};
    d.start(settings(one("BARC.L")));
    d.run(2000);
    CHECK(std::string(quote(d).currency) == one_case.shown);
    CHECK(compare(quote(d).price, Decimal{8912, -3}) == 0);
    CHECK(compare(quote(d).previous, Decimal{9, 0}) == 0);
    CHECK(compare(quote(d).change, Decimal{-88, -3}) == 0);
    CHECK(quote(d).percent == -98);
    CHECK(compare(Decimal{quote(d).spark.first, quote(d).spark.exponent}, Decimal{88, -1}) == 0);
  }
}

TEST_CASE("takes published quotes from the fork in the settings") {
  Device d;
  d.system.info.repo_owner = "";
  d.net.replies["raw.githubusercontent.com"] = {ok("{\"price\":5}")};
  d.start(settings("\"repo\":\"me-too/my.fork_2\"," + one("1-2-3", "github")));
  d.run(3000);
  REQUIRE(d.net.requests.size() == 1);
  CHECK(d.net.requests[0].rfind("GET /me-too/my.fork_2/data/quotes/1-2-3.json HTTP/1.1\r\n", 0) == 0);
  CHECK(d.get("/api/status").find("\"repo\":\"me-too/my.fork_2\"") != std::string::npos);
  CHECK(d.get("/api/config").find("\"github\":true") != std::string::npos);
}

TEST_CASE("flashes a changed price, and shows a row at once whose price reaches an alert") {
  Device d;
  d.net.repeat = true;
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"pollSec":10,"rotateSec":3600,)"
          R"("webhookUrl":"http://hook.example/q","symbols":[{"symbol":"A","source":"webhook"},)"
          R"({"symbol":"B","source":"webhook","above":6,"below":1}]}})");
  d.run(6000);
  CHECK((d.app.view().index == 0 && is_zero(d.app.view().quotes[1].before)));
  d.net.replies["hook.example"] = {ok("{\"price\":6.5}")};
  bool flashed = false;
  for (int turn = 0; turn < 120; turn++) {
    d.run(100);
    flashed = flashed || !is_zero(d.app.view().quotes[1].before);
  }
  CHECK(flashed);
  CHECK((d.app.view().index == 1 && is_zero(d.app.view().quotes[1].before)));
  d.app.touch(true);
  d.run(200);
  d.app.touch(false);
  d.run(15000);
  CHECK(d.app.view().index == 0);  // said once
  d.net.replies["hook.example"] = {ok("{\"price\":0.5}")};
  d.run(12000);
  CHECK(d.app.view().index == 1);
}

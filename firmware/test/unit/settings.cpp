#include <doctest/doctest.h>

#include <initializer_list>
#include <string.h>

#include "chunks.h"
#include "settings/codec.h"

using namespace hearth;

namespace {

Settings defaults() {
  Settings settings;
  set_defaults(&settings, 0x1234abcd, true);
  return settings;
}

std::string written(const Settings& settings, Secrets secrets) {
  std::string text;
  class Sink : public ByteSink {
   public:
    explicit Sink(std::string& to) : to_(to) {}
    bool write(const void* bytes, size_t size) override {
      to_.append(static_cast<const char*>(bytes), size);
      return true;
    }

   private:
    std::string& to_;
  } sink(text);
  {
    TextOut out(sink);
    JsonOut json(out);
    json.begin_object();
    write_settings(settings, secrets, json);
    json.end_object();
  }
  return text;
}

/// "key rule" of the refusal, or "" and the result in `settings`.
std::string update(Settings* settings, const std::string& text, Strictness strictness = Strictness::Refuse) {
  bool same = false;
  const Settings before = *settings;
  Settings after = before;
  const std::string result = chunks::every_way(text, &same, [&](const std::vector<std::string>& pieces) {
    SettingsReader reader;
    reader.start(before, strictness);
    for (const auto& piece : pieces) {
      if (!reader.feed(piece.data(), piece.size())) break;
    }
    if (reader.finish()) {
      after = reader.result();
      return std::string();
    }
    return std::string(reader.error().key == nullptr ? "-" : reader.error().key) + " " + reader.error().rule;
  });
  CHECK(same);
  *settings = after;
  return result;
}

std::string refusal(const std::string& text) {
  Settings settings = defaults();
  return update(&settings, text);
}

}  // namespace

TEST_CASE("has the defaults of the specification") {
  const std::string text = written(defaults(), Secrets::Hidden);
  CHECK(
      text ==
      "{\"hostname\":\"smalltv-abcd\",\"apSsid\":\"SmallTV-Setup-abcd\",\"apPassSet\":false,\"mode\":\"stocks\","
      "\"carouselSec\":30,\"httpTimeout\":8000,\"brightness\":90,\"autoBrightness\":false,"
      "\"backlightInverted\":true,\"rotation\":0,\"language\":\"en\",\"wifi\":[],\"ticker\":{\"symbols\":[],"
      "\"webhookUrl\":\"\",\"repo\":"
      "\"\","
      "\"range\":\"1d\",\"points\":48,\"pollSec\":120,\"rotateSec\":10,\"colorInverted\":false,"
      "\"changeOnRange\":false,\"showName\":true,\"showPrice\":true,\"showChange\":true,\"showChart\":true,"
      "\"showRangeLabel\":true,\"showPageDots\":true,\"showPortfolio\":true,\"showUpdatedAgo\":false,"
      "\"showMarket\":true,\"extendedHours\":false,\"rangeBar\":\"day\",\"watchlist\":false,\"showClock\":false},"
      "\"clock\":{\"tz\":\"UTC\",\"tzPosix\":\"UTC0\",\"nightEnabled\":false,\"nightStart\":\"22:00\",\"nightEnd\":"
      "\"07:00\",\"nightLevel\":0,\"nightClock\":false,\"weekendOwn\":false,\"weekendStart\":\"23:00\","
      "\"weekendEnd\":\"09:00\",\"hours12\":false},\"display\":{\"colorOrder\":\"auto\",\"invert\":false,"
      "\"rGain\":100,\"gGain\":100,\"bGain\":100},\"auth\":{\"enabled\":false,\"user\":\"admin\",\"passSet\":false}}");
}

TEST_CASE("reads back what it writes, with secrets included or kept") {
  Settings settings = defaults();
  REQUIRE(update(&settings,
                 R"({"hostname":"Desk-1","wifi":[{"ssid":"Café \"2\"","pass":"secret-pass"},)"
                 R"({"ssid":"open"}],"apPass":"ap-secret","mode":"carousel","brightness":0,
    "ticker":{"webhookUrl":"https://x.example/q?k=1","range":"6MO","points":0,"changeOnRange":true,)"
                 R"("symbols":[{"symbol":"^GSPC","name":"S&P","source":"yahoo","qty":1.5,"cost":4000.25},)"
                 R"({"symbol":"1-2-3","source":"cash"}]},
    "clock":{"tz":"Europe/Zurich","tzPosix":"CET-1CEST,M3.5.0,M10.5.0/3","nightEnabled":true,)"
                 R"("nightStart":"23:59","nightEnd":"00:00","nightLevel":100},"display":{"colorOrder":"bgr",)"
                 R"("rGain":50,"bGain":150},"auth":{"enabled":true,"user":"me","pass":"pass-word"}})") == "");
  const std::string all = written(settings, Secrets::Included);
  Settings copy = defaults();
  REQUIRE(update(&copy, all) == "");
  CHECK(written(copy, Secrets::Included) == all);
  const std::string open = written(settings, Secrets::Hidden);
  for (const char* secret : {"secret-pass", "ap-secret", "pass-word", "\"pass\""})
    CHECK(open.find(secret) == std::string::npos);
  CHECK(open.find("\"apPassSet\":true") != std::string::npos);
  CHECK(open.find("{\"ssid\":\"open\",\"passSet\":false}") != std::string::npos);
  // The form sends back the values that it was shown, so passwords are not changed.
  Settings again = settings;
  REQUIRE(update(&again, open) == "");
  CHECK(written(again, Secrets::Included) == all);
}

TEST_CASE("leaves other fields unchanged in a partial update") {
  Settings settings = defaults();
  REQUIRE(update(&settings, R"({"wifi":[{"ssid":"a","pass":"12345678"},{"ssid":"b","pass":"87654321"}],"ticker":)"
                            R"({"symbols":[{"symbol":"AAPL"}]}})") == "");
  REQUIRE(update(&settings, R"({"brightness":5,"unknown":{"deep":[1,{"brightness":7}]},"ticker":{"pollSec":30}})") ==
          "");
  CHECK((settings.brightness == 5 && settings.ticker.poll_s == 30 && settings.network_count == 2 &&
         settings.ticker.row_count == 1));
  REQUIRE(update(&settings,
                 R"({"wifi":[{"ssid":"b","pass":""},{"ssid":""},{"ssid":"c","pass":null}],"ticker":)"
                 R"({"symbols":[{"symbol":""},{"symbol":"  "},{"symbol":"X","source":"nonsense"}]}})") == "");
  CHECK(settings.network_count == 2);
  CHECK((!strcmp(settings.networks[0].ssid, "b") && !strcmp(settings.networks[0].pass, "87654321")));
  CHECK((!strcmp(settings.networks[1].ssid, "c") && settings.networks[1].pass[0] == 0));
  CHECK((settings.ticker.row_count == 1 && settings.ticker.rows[0].source == Source::Webhook));
  REQUIRE(update(&settings, R"({"wifi":[{"ssid":"b","pass":null}]})") == "");
  CHECK(settings.networks[0].pass[0] == 0);
}

TEST_CASE("reads older files with one source for all rows and with numbers for sources") {
  Settings settings = defaults();
  REQUIRE(update(&settings, R"({"ticker":{"symbols":[{"symbol":"1-2-3"},{"symbol":"AAPL","source":"yahoo"},)"
                            R"({"symbol":"Y","source":0},{"symbol":"Z","source":""}],"source":"github"}})") == "");
  CHECK(settings.ticker.rows[0].source == Source::Github);
  CHECK(settings.ticker.rows[1].source == Source::Yahoo);
  CHECK(settings.ticker.rows[2].source == Source::Webhook);
  CHECK(settings.ticker.rows[3].source == Source::Github);
  settings = defaults();
  REQUIRE(update(&settings, R"({"source":2,"ticker":{"symbols":[{"symbol":"1-2-3"},{"symbol":"X","source":9}]}})") ==
          "");
  CHECK((settings.ticker.rows[0].source == Source::Cash && settings.ticker.rows[1].source == Source::Webhook));
  settings = defaults();
  REQUIRE(update(&settings, R"({"ticker":{"symbols":[{"symbol":"AAPL"}]}})") == "");
  CHECK(settings.ticker.rows[0].source == Source::Yahoo);
}

TEST_CASE("enforces every limit at both ends") {
  struct Limit {
    const char* path;
    int low;
    int high;
  };
  const Limit limits[] = {{"carouselSec", 5, 3600},      {"httpTimeout", 1000, 20000},
                          {"brightness", 0, 100},        {"rotation", 0, 3},
                          {"ticker.points", 0, 60},      {"ticker.pollSec", 10, 3600},
                          {"ticker.rotateSec", 2, 3600}, {"clock.nightLevel", 0, 100},
                          {"display.rGain", 50, 150},    {"display.gGain", 50, 150},
                          {"display.bGain", 50, 150}};
  for (const Limit& limit : limits) {
    const std::string path = limit.path;
    const size_t dot = path.find('.');
    const std::string key = dot == std::string::npos ? path : path.substr(dot + 1);
    const auto document = [&](const std::string& value) {
      return dot == std::string::npos ? "{\"" + key + "\":" + value + "}"
                                      : "{\"" + path.substr(0, dot) + "\":{\"" + key + "\":" + value + "}}";
    };
    CAPTURE(path);
    CHECK(refusal(document(std::to_string(limit.low))) == "");
    CHECK(refusal(document(std::to_string(limit.high))) == "");
    for (const std::string& value :
         {std::to_string(limit.low - 1), std::to_string(limit.high + 1), std::string("1.5e0"), std::string("\"7\""),
          std::string("null"), std::string("true")}) {
      CAPTURE(value);
      CHECK(refusal(document(value)).rfind(key + " must be", 0) == 0);
    }
  }
}

TEST_CASE("names the field and the reason of a rejected value") {
  CHECK(refusal(R"({"hostname":"a b"})").rfind("hostname ", 0) == 0);
  for (const char* text :
       {R"({"hostname":""})",
        R"({"hostname":"-a"})",
        R"({"hostname":"a-"})",
        R"({"hostname":"ü"})",
        R"({"hostname":"123456789012345678901234567890123"})",
        R"({"apSsid":""})",
        R"({"mode":"carousell"})",
        R"({"autoBrightness":1})",
        R"({"ticker":{"range":"10y"}})",
        R"({"ticker":{"webhookUrl":"ftp://x.example"}})",
        R"({"ticker":{"webhookUrl":"http:/"}})",
        R"({"clock":{"tzPosix":"Zurich"}})",
        R"({"clock":{"nightStart":"24:00"}})",
        R"({"clock":{"nightStart":"7:00"}})",
        R"({"clock":{"nightEnd":"07:60"}})",
        R"({"display":{"colorOrder":5}})",
        R"({"auth":{"user":""}})",
        R"({"auth":{"pass":"1234567"}})",
        R"({"apPass":"1234567"})",
        R"({"ticker":{"repo":"owner"}})",
        R"({"ticker":{"repo":"owner/name/more"}})",
        R"({"ticker":{"repo":"../name"}})",
        R"({"ticker":{"repo":"owner/na me"}})",
        R"({"ticker":{"repo":"https://github.com/a/b"}})",
        R"({"ticker":{"symbols":[{"symbol":"株株株株株株株株株株株"}]}})",
        R"({"auth":{"enabled":true}})",
        R"({"wifi":{}})",
        R"({"wifi":["a"]})",
        R"({"wifi":[{"ssid":5}]})",
        R"({"wifi":[{"ssid":"a","pass":"short"}]})",
        R"({"wifi":[{"ssid":"123456789012345678901234567890123"}]})",
        R"({"wifi":[{"ssid":"a"},{"ssid":"b"},{"ssid":"c"},{"ssid":"d"},{"ssid":"e"}]})",
        R"({"ticker":{"symbols":5}})",
        R"({"ticker":{"symbols":[5]}})",
        R"({"ticker":{"symbols":[{"symbol":"123456789012345678901234"}]}})",
        R"({"ticker":{"symbols":[{"symbol":"A","name":"12345678901234567890"}]}})",
        R"({"ticker":{"symbols":[{"symbol":"A","qty":-1}]}})",
        R"({"ticker":{"symbols":[{"symbol":"A","cost":"5"}]}})",
        R"({"ticker":{"symbols":[{},{},{},{},{},{},{},{},{"symbol":"ninth"},{"symbol":"A"},)"
        R"({"symbol":"A"},{"symbol":"A"},{"symbol":"A"},{"symbol":"A"},{"symbol":"A"},{"symbol":"A"},)"
        R"({"symbol":"A"}]}})"}) {
    CAPTURE(text);
    const std::string result = refusal(text);
    CHECK(result != "");
    CHECK(result[0] != '-');
  }
  for (const char* text : {"", "[]", "5", "\"x\"", "{", "{\"a\":1", "{\"brightness\":5}}", "nonsense"}) {
    CAPTURE(text);
    CHECK(refusal(text)[0] == '-');
  }
  CHECK(refusal("{\"a\":\"" + std::string(17000, 'x') + "\"}") == "- is not JSON");
}

TEST_CASE("rejects nine rows, and ignores a blank one among nine") {
  std::string rows;
  for (int i = 0; i < 8; i++) rows += "{\"symbol\":\"S" + std::to_string(i) + "\"},";
  CHECK(refusal("{\"ticker\":{\"symbols\":[" + rows + "{\"symbol\":\"S9\"}]}}") == "ticker.symbols can hold 8 symbols");
  CHECK(refusal("{\"ticker\":{\"symbols\":[{\"symbol\":\"\"}," + rows.substr(0, rows.size() - 1) + "]}}") == "");
}

TEST_CASE("reads the valid parts of a stored file") {
  Settings settings = defaults();
  REQUIRE(update(&settings,
                 R"({"brightness":500,"rotation":2,"mode":"aquarium","wifi":[{"ssid":"a"},{"ssid":"b"},)"
                 R"({"ssid":"c"},{"ssid":"d"},{"ssid":"e","pass":"12345678"}],"ticker":{"pollSec":5,"range":"10y",)"
                 R"("symbols":[{"symbol":"A","qty":-3}]},"auth":{"enabled":true}})",
                 Strictness::Ignore) == "");
  CHECK((settings.brightness == 90 && settings.rotation == 2 && settings.mode == Mode::Stocks &&
         settings.network_count == 4 && settings.ticker.poll_s == 120 && !settings.auth.enabled));
  CHECK((settings.ticker.row_count == 1 && is_zero(settings.ticker.rows[0].quantity)));
  CHECK(update(&settings, "{\"brightness\":50", Strictness::Ignore) != "");
}

TEST_CASE("says how many bytes a symbol and a password may have, and keeps a short password of an older file") {
  CHECK(refusal(R"({"ticker":{"symbols":[{"symbol":"株株株株株株株株株株株"}]}})").find("31 bytes") !=
        std::string::npos);
  CHECK(refusal(R"({"ticker":{"symbols":[{"symbol":"株株株株株株株株株株"}],"repo":"o/n"},"apPass":""})") == "");
  const std::string umlauts = "äääääääääääääääääääääääääääääää";  // 62 bytes
  CHECK(refusal("{\"apPass\":\"" + umlauts + "x\"}") == "");
  CHECK(refusal("{\"apPass\":\"" + umlauts + "ä\"}").find("63 bytes") != std::string::npos);
  Settings settings = defaults();
  REQUIRE(update(&settings, R"({"apPass":"short","auth":{"enabled":true,"pass":"pw"}})", Strictness::Ignore) == "");
  CHECK((settings.auth.enabled && !strcmp(settings.auth.pass, "pw") && !strcmp(settings.ap_pass, "short")));
}

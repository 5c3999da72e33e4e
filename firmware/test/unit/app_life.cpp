#include <doctest/doctest.h>
#include <string.h>

#include <new>

#include "device.h"
#include "text/wifi_code.h"

using namespace hearth;
using device::body_of;
using device::Device;
using device::ok;
using device::status_of;

namespace {
WifiSeen seen(const char* ssid, int8_t rssi) {
  WifiSeen network{};
  snprintf(network.ssid, sizeof network.ssid, "%s", ssid);
  network.rssi = rssi;
  network.encrypted = true;
  return network;
}
}  // namespace

TEST_CASE("opens the setup network at the first start, and uses defaults for a broken file") {
  Device d;
  d.start("");
  d.run(500);
  CHECK(d.wifi.setup == "SmallTV-Setup-1234");
  CHECK((d.app.view().scene == Scene::Setup && std::string(d.app.view().network) == "SmallTV-Setup-1234" &&
         std::string(d.app.view().address) == "192.168.4.1"));
  QrCode network;
  CHECK(make_wifi_code("SmallTV-Setup-1234", d.app.view().settings->ap_pass, &network));
  CHECK(memcmp(&d.app.view().scan_code, &network, sizeof network) == 0);
  Device broken;
  broken.start("{\"hostname\":");
  CHECK(std::string(broken.app.view().settings->hostname) == "smalltv-1234");
  CHECK(broken.log.lines[0] == "settings.json is broken: defaults");
}

TEST_CASE("shows network and address after joining, then the configured pages") {
  Device d;
  d.start();
  CHECK(d.app.view().scene == Scene::Boot);
  d.run(300);
  CHECK((d.app.view().scene == Scene::Joined && std::string(d.app.view().network) == "home" &&
         std::string(d.app.view().address) == "192.168.1.20"));
  d.run(3700);
  CHECK(d.app.view().scene == Scene::NoSymbols);
  QrCode page;
  CHECK(make_page_code("192.168.1.20", &page));
  CHECK(memcmp(&d.app.view().scan_code, &page, sizeof page) == 0);
  CHECK_FALSE(make_page_code("", &page));
  CHECK(d.panel.light_out == 90);
  CHECK(d.panel.configured == 1);
}

TEST_CASE("tries networks in range by strength, then hidden ones, then setup, then again") {
  Device d;
  d.wifi.around = {seen("b", -40), seen("stranger", -45), seen("a", -70)};
  d.start(R"({"wifi":[{"ssid":"a","pass":"aaaaaaaa"},{"ssid":"hidden","pass":"hhhhhhhh"},{"ssid":"b",)"
          R"("pass":"bbbbbbbb"}]})");
  CHECK(d.wifi.scans == 1);
  d.run(200);
  CHECK(d.wifi.joined.back() == "b/bbbbbbbb");
  d.run(30000);
  CHECK(d.wifi.joined.back() == "a/aaaaaaaa");
  d.run(30000);
  CHECK(d.wifi.joined.back() == "hidden/hhhhhhhh");
  d.run(7000);
  CHECK(d.wifi.setup.empty());
  d.run(1500);
  CHECK(d.wifi.setup == "SmallTV-Setup-1234");
  d.run(181000);
  CHECK(d.wifi.joined.size() > 3);
  Device refused;
  refused.wifi.refuse = true;
  refused.start(R"({"wifi":[{"ssid":"a","pass":"aaaaaaaa"}]})");
  refused.run(500);
  CHECK(refused.wifi.setup == "SmallTV-Setup-1234");
}

TEST_CASE("gives each network its full time once none of them answered quickly") {
  Device d;
  d.wifi.around = {};
  d.start(R"({"wifi":[{"ssid":"a","pass":"aaaaaaaa"},{"ssid":"home","pass":"password"}]})");
  d.wifi.good.clear();
  d.run(17000);
  CHECK(d.wifi.now == WifiState::AccessPoint);
  const size_t joins = d.wifi.joined.size();
  d.run(181000, 1000);
  CHECK(d.wifi.joined.size() == joins + 1);
  d.run(28000, 1000);
  CHECK(d.wifi.joined.back() == "a/aaaaaaaa");
  d.run(4000, 1000);
  CHECK(d.wifi.joined.back() == "home/password");
}

TEST_CASE("shows a page with all rows, and only the time at night") {
  Device d;
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"clock":{"nightEnabled":true,"nightStart":"22:00",)"
          R"("nightEnd":"06:00","nightClock":true},"ticker":{"watchlist":true,"rotateSec":5,)"
          R"("webhookUrl":"http://hook.example/q","symbols":[{"symbol":"A","source":"webhook"},)"
          R"({"symbol":"B","source":"webhook","qty":1}]}})");
  d.clock.known = true;
  d.clock.age = 0;
  d.unix_base = 1699963200;  // noon, UTC
  d.run(5000);
  std::vector<Scene> scenes;
  for (int turn = 0; turn < 40; turn++) {
    d.run(500);
    if (scenes.empty() || scenes.back() != d.app.view().scene) scenes.push_back(d.app.view().scene);
  }
  CHECK(scenes == std::vector<Scene>{Scene::Ticker, Scene::Watchlist, Scene::Portfolio, Scene::Ticker});
  CHECK(d.app.view().pages == 4);
  d.unix_base = 1700000000;  // 22:13
  d.run(500);
  CHECK((d.app.view().night && d.app.view().scene == Scene::Clock));
}

TEST_CASE("fetches a row in its own time frame and interval") {
  Device d;
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.net.repeat = true;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"range":"1y","pollSec":3600,)"
          R"("webhookUrl":"http://hook.example/q","symbols":[{"symbol":"A","source":"webhook","range":"5d",)"
          R"("pollSec":10},{"symbol":"B","source":"webhook"}]}})");
  d.run(60000, 100);
  int often = 0, once = 0;
  for (const std::string& request : d.net.requests) {
    if (request.find("symbol=A&range=5d&") != std::string::npos) often++;
    if (request.find("symbol=B&range=1y&") != std::string::npos) once++;
  }
  CHECK((often >= 5 && often <= 7));
  CHECK(once == 1);
  d.net.replies["hook.example"] = {"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"};
  d.run(40000, 100);
  CHECK((d.app.view().quotes[0].state == QuoteState::Stale && d.app.view().quotes[1].state == QuoteState::Fresh));
}

TEST_CASE("turns the page, opens the setup network or resets by touch") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"rotateSec":3600,"symbols":[{"symbol":"A"},)"
          R"({"symbol":"B"}]}})");
  d.run(5000);
  const auto touch = [&d](uint32_t ms) {
    d.app.touch(true);
    d.run(ms);
    d.app.touch(false);
    d.run(200);
  };
  CHECK(d.app.view().index == 0);
  d.app.touch(true);
  d.app.touch(false);  // noise
  CHECK(d.app.view().index == 0);
  touch(200);
  CHECK(d.app.view().index == 1);
  touch(200);
  CHECK(d.app.view().index == 0);
  touch(5100);
  CHECK((d.app.view().scene == Scene::Setup && d.system.restarts == 0));
  touch(15100);
  d.run(1000);
  CHECK((d.system.restarts == 1 && d.store.files.count("settings.json") == 0));
}

TEST_CASE("rejoins every 30 s after a drop, and tries the next network after 60 s") {
  Device d;
  d.wifi.around = {seen("home", -40)};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"},{"ssid":"other","pass":"12345678"}]})");
  d.run(1000);
  d.wifi.good.clear();
  d.wifi.now = WifiState::Off;
  d.run(59000);
  CHECK(d.wifi.joined.size() == 3);
  CHECK(d.wifi.joined.back() == "home/password");
  d.run(2000);
  CHECK(d.wifi.joined.back() == "other/12345678");
  d.run(5000);
  CHECK(d.app.view().scene == Scene::NoSymbols);
}

TEST_CASE("turns pages with the portfolio last, and shows the clock in the carousel") {
  Device d;
  d.net.replies["hook.example"] = {ok("{\"price\":5}")};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"mode":"carousel","carouselSec":15,"ticker":)"
          R"({"webhookUrl":"http://hook.example/q","rotateSec":5,"symbols":[{"symbol":"A","source":"webhook",)"
          R"("qty":1},{"symbol":"B","source":"webhook"}]}})");
  d.run(4000);
  std::string scenes;
  for (int i = 0; i < 36; i++) {
    d.run(1000);
    const View& view = d.app.view();
    const char c = view.scene == Scene::Clock       ? 'c'
                   : view.scene == Scene::Portfolio ? 'p'
                   : view.scene == Scene::Ticker    ? static_cast<char>('0' + view.index)
                                                    : '?';
    if (scenes.empty() || scenes.back() != c) scenes += c;
    CHECK((view.pages == 3 || view.scene == Scene::Clock));
  }
  CHECK(scenes == "1pc01p");
  CHECK(d.clock.kept);
}

TEST_CASE("reports a missing network and missing prices, and shows the clock without them") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"symbols":[{"symbol":"A"}]}})");
  d.net.fault_next = NetFault::Refused;
  d.run(1000);
  d.wifi.good.clear();
  d.wifi.now = WifiState::Off;
  d.run(5000);
  CHECK(d.app.view().scene == Scene::NoNetwork);
  Device clock;
  clock.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"mode":"clock","clock":{"tzPosix":"CET-1"}})");
  clock.clock.known = true;
  clock.clock.age = 1000;
  clock.run(5000);
  CHECK((clock.app.view().scene == Scene::Clock && clock.app.view().time_known && clock.app.view().time.year == 2023));
}

TEST_CASE("runs the time service only for the night window, and dims the light") {
  Device d;
  d.start();
  d.run(2000);
  CHECK_FALSE(d.clock.kept);
  CHECK(
      d.post("/api/config", R"({"clock":{"nightEnabled":true,"nightStart":"22:00","nightEnd":"23:30","nightLevel":4}})")
          .find("\"ok\":true") != std::string::npos);
  d.run(200);
  CHECK(d.clock.kept);
  d.clock.known = true;
  d.clock.age = 400000;
  d.run(1000);  // 22:13 UTC, but the last reply is too old
  CHECK((!d.app.view().night && d.panel.light_out == 90));
  const int asked = d.clock.asked;
  d.run(31000);
  CHECK(d.clock.asked > asked);
  d.clock.age = 1000;
  d.run(200);
  CHECK((d.app.view().night && d.panel.light_out == 4));
  d.unix_base += 2 * 3600;
  d.run(200);
  CHECK((!d.app.view().night && d.panel.light_out == 90));
}

TEST_CASE("gives the time of its zone with the offset, as RFC 3339 writes it") {
  for (const auto& [zone, time] : {std::pair("<+0330>-3:30", "2023-11-15T01:43:"),
                                   std::pair("EST5", "2023-11-14T17:13:"), std::pair("UTC0", "2023-11-14T22:13:")}) {
    Device d;
    d.start();
    d.run(2000);
    CHECK(body_of(d.get("/api/status")).find("\"synced\":false,\"tz\"") != std::string::npos);
    CHECK(d.post("/api/config", std::string(R"({"clock":{"nightEnabled":true,"tzPosix":")") + zone + "\"}}")
              .find("\"ok\":true") != std::string::npos);
    d.run(200);
    d.clock.known = true;
    d.clock.age = 1000;
    d.run(1000);
    const std::string status = body_of(d.get("/api/status"));
    const size_t at = status.find("\"time\":\"");
    REQUIRE(at != std::string::npos);
    const std::string text = status.substr(at + 8, status.find('"', at + 8) - at - 8);
    CHECK(text.substr(0, 17) == time);
    CHECK(text.substr(19) == (zone[0] == '<' ? "+03:30" : zone[0] == 'E' ? "-05:00" : "+00:00"));
  }
}

TEST_CASE("runs only the web page after three crashes in ten minutes, and everything again ten minutes later") {
  Device d;
  const char kSettings[] = R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"symbols":[{"symbol":"A"}]}})";
  d.start(kSettings);
  const auto crash_after = [&d](uint32_t ms, ResetCause cause) {
    d.run(ms, 1000);
    d.system.cause = cause;
    d.app.~App();
    new (&d.app) App(
        Ports{d.clock, d.net, d.wifi, d.store, d.panel, d.entropy, d.hashes, d.log, d.system, d.serial, &d.painter});
    d.app.start();
    d.run(6000);
  };
  crash_after(60000, ResetCause::Crash);
  CHECK(d.app.view().scene == Scene::Ticker);
  crash_after(60000, ResetCause::Watchdog);
  CHECK(d.app.view().scene == Scene::Ticker);
  CHECK(d.get("/api/status").find("\"safeMode\":false,\"crashes\":2") != std::string::npos);
  crash_after(60000, ResetCause::Restart);
  CHECK(d.app.view().scene == Scene::Ticker);
  crash_after(60000, ResetCause::Crash);
  const size_t opened = d.net.opened.size();
  d.run(10000);
  CHECK((d.app.view().scene == Scene::SafeMode && d.net.opened.size() == opened));
  CHECK(d.get("/api/status").find("\"safeMode\":true,\"crashes\":3") != std::string::npos);
  d.run(600000, 1000);
  CHECK((d.app.view().scene == Scene::Ticker && d.net.opened.size() > opened));
  crash_after(60000, ResetCause::Crash);
  crash_after(400000, ResetCause::Crash);
  crash_after(400000, ResetCause::Crash);  // the first one is too long ago
  CHECK(d.app.view().scene == Scene::Ticker);
  crash_after(1000, ResetCause::PowerOn);
  crash_after(1000, ResetCause::Crash);
  CHECK(d.app.view().scene == Scene::Ticker);
}

TEST_CASE("opens the setup network when the saved ones stay away, and goes on looking for them") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"symbols":[{"symbol":"A"}]}})");
  d.run(6000);
  d.wifi.good["home"] = "a new password";
  d.wifi.now = WifiState::Off;
  d.run(299000, 1000);
  CHECK(d.wifi.setup.empty());
  d.run(3000, 1000);
  CHECK(d.app.view().scene == Scene::Setup);
  d.run(57000, 1000);
  const size_t joins = d.wifi.joined.size();
  d.run(64000, 1000);
  CHECK(d.wifi.joined.size() == joins + 2);  // for a minute
  CHECK(d.wifi.now == WifiState::AccessPoint);
  d.wifi.good["home"] = "password";
  d.run(62000, 1000);
  CHECK(d.wifi.now == WifiState::Joined);
  d.wifi.now = WifiState::Off;
  d.run(1000);
  CHECK(d.wifi.now == WifiState::Joined);  // a short drop is no reason for the setup network
}

TEST_CASE("is kept in the setup network by who uses its page, not by a page left open or a phone that probes") {
  Device d;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}]})");
  d.run(6000);
  d.wifi.good["home"] = "not yet";
  d.wifi.now = WifiState::Off;
  d.run(302000, 1000);
  CHECK(d.wifi.now == WifiState::AccessPoint);
  d.wifi.good["home"] = "password";
  const auto get = [&d](const std::string& path, const std::string& host) {
    return status_of(d.web("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
  };
  CHECK(get("/", "192.168.4.1") == "200");
  d.run(175000, 1000);
  CHECK(get("/api/scan", "192.168.4.1") == "200");
  d.run(175000, 1000);
  CHECK(d.wifi.now == WifiState::AccessPoint);
  for (int i = 0; i < 15; i++) {
    get(i % 2 ? "/api/status" : "/api/screen", "192.168.4.1");
    get("/generate_204", "connectivitycheck.gstatic.com");
    d.run(10000, 1000);
  }
  CHECK(d.wifi.now == WifiState::Joined);
}

TEST_CASE("reads the light sensor a few times a second, and follows it without flicker") {
  Device d;
  d.panel.sensor = 40;
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"autoBrightness":true})");
  d.run(1000, 10);
  CHECK(d.panel.light_out == 40);
  d.run(9000, 10);
  const uint32_t before = d.app.view().revision;
  d.panel.light_reads = 0;
  for (int i = 0; i < 1000; i++) {
    d.panel.sensor = static_cast<uint8_t>(38 + i % 5);
    d.run(10, 10);
  }
  CHECK((d.panel.light_reads >= 20 && d.panel.light_reads <= 30));
  CHECK(d.panel.light_out == 40);
  CHECK(d.app.view().revision == before);
  d.panel.sensor = 90;
  int steps = 0;
  for (int i = 0; i < 500; i++) {
    const int was = d.panel.light_out;
    d.run(10, 10);
    CHECK((d.panel.light_out == was || d.panel.light_out == was + 1));
    steps += d.panel.light_out - was;
  }
  CHECK((steps == 50 && d.panel.light_out == 90));
  CHECK(d.app.view().revision == before);
  d.panel.light_reads = 0;
  d.get("/api/config");
  CHECK(d.panel.light_reads <= 1);
}

TEST_CASE("survives a clock that wraps or jumps back") {
  Device d;
  d.clock.ms = 0xfffff000u;
  d.net.replies["query1.finance.yahoo.com"] = {
      ok("{\"chart\":{\"result\":[{\"meta\":{\"regularMarketPrice\":5,\"previousClose\":4}}]}}")};
  d.start(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"symbols":[{"symbol":"A"}]}})");
  d.run(10000);
  CHECK(d.app.view().quotes[0].state == QuoteState::Fresh);
  CHECK(d.app.view().quotes[0].age_s < 11);
  d.clock.ms -= 5000;
  d.run(1000);
  CHECK(d.app.view().quotes[0].age_s < 13);
  CHECK(d.app.view().scene == Scene::Ticker);
}

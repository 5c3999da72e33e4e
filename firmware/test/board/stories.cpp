// The program of a board, run on this machine as it would run on the board: boards/arduino and the chip's folder are
// linked with test/fakes/arduino in place of the Arduino core. Each story is one device.
#include <stdio.h>
#include <string.h>

#include <string>

#include "fakes/arduino/world.h"
#include "profile.h"
#include "update_file.h"

using fake::Cause;
using fake::kept;
using fake::live;
using fake::servers;
using fake::Visitor;

namespace {

constexpr uint64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr uint32_t kIdleMs = 250;
constexpr bool kEsp8266 = board::kBoard.chip == hearth::Chip::Esp8266;
const char kHome[] =
    R"({"wifi":[{"ssid":"home","pass":"password"}],"autoBrightness":true,"ticker":{"pollSec":300,"rotateSec":600,)"
    R"("webhookUrl":"http://hub.home/hook","symbols":[{"symbol":"A"},{"symbol":"B","source":"webhook"}]},)"
    R"("clock":{"nightEnabled":true,"nightStart":"22:00","nightEnd":"06:00","nightLevel":5}})";

std::string reply(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void put_file(const char* name, const std::string& text) {
  fake::KeptFile& file = kept().files[0];
  snprintf(file.name, sizeof file.name, "/%s", name);
  memcpy(file.bytes, text.data(), text.size());
  file.size = static_cast<uint32_t>(text.size());
}

void new_device(const std::string& settings) {
  memset(static_cast<void*>(&kept()), 0, sizeof kept());
  kept().us = 1000000;
  fake::router = fake::Router();
  servers.clear();
  servers["query1.finance.yahoo.com"].reply = [](const std::string&) {
    return reply(R"({"chart":{"result":[{"meta":{"regularMarketPrice":5,"previousClose":4,"currency":"USD"}}]}})");
  };
  servers["query2.finance.yahoo.com"].known = false;
  servers["hub.home"].reply = [](const std::string&) { return reply(R"({"price":7})"); };
  if (!settings.empty()) put_file("settings.json", settings);
}

std::string request(const std::string& method, const std::string& path, const std::string& body = "",
                    const char* host = "192.168.1.20") {
  return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nX-Hearth: 1\r\n" +
         (method == "POST" ? "Content-Length: " + std::to_string(body.size()) + "\r\n" : "") + "\r\n" + body;
}

std::string update(const char* version = "9.0.0") {
  static const uint16_t kChips[] = {0xffff, 0, 12, 5};
  return device::update_file(board::kBoard.tag, kChips[static_cast<size_t>(board::kBoard.chip)], 200000, version);
}

/// Lives on through restarts until the end; crashes break the story.
void live_through(uint64_t until_ms, uint32_t idle_ms, const std::function<void(uint64_t)>& story) {
  while (!live(until_ms, idle_ms, story)) fake::expect(kept().crash[0] == 0, kept().crash);
}

void first_start() {
  new_device("");
  live_through(kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor visitor;
    if (ms > 20 * kSecond && visitor.request.empty()) {
      visitor.request = request("GET", "/api/status", "", "192.168.4.1");
      fake::visit(visitor);
    }
    if (ms + 1000 > kMinute)
      fake::expect(visitor.reply.find("\"mode\":\"ap\"") != std::string::npos, "the page answers in the setup network");
  });
  fake::expect(strlen(kept().setup_pass) == 8, "the setup network has a password");
  fake::expect(kept().lives == 1, "one start is enough");
}

void a_day() {
  new_device(kHome);
  live_through(kDay, 8 * kIdleMs, [](uint64_t ms) {
    static Visitor page, half, whole, later;
    static uint32_t before = 0;
    if (kept().lives > 1) {
      if (ms > 23 * kHour && later.request.empty()) {
        later.request = request("GET", "/api/status");
        fake::visit(later);
      }
      if (ms + kMinute > kDay)
        fake::expect(later.reply.find("\"fresh\":true") != std::string::npos &&
                         later.reply.find("\"night\":true") == std::string::npos,
                     "shows fresh prices at the end of the day");
      return;
    }
    if (ms > 10 * kMinute && page.request.empty()) {
      page.request = request("GET", "/");
      fake::visit(page);
    }
    if (ms > 2 * kHour && half.request.empty()) {
      fake::expect(page.reply.find("200 OK") != std::string::npos, "serves its page");
      half.request = request("POST", "/update", device::sign_update(update()));
      half.leaves_at = 60000;
      fake::visit(half);
      before = kept().answers;
    }
    if (ms > 3 * kHour && whole.request.empty()) {
      fake::expect(kept().answers > before + 15, "fetches on after a browser left in the middle of an upload");
      whole.request = request("POST", "/update", device::sign_update(update()));
      fake::visit(whole);
    }
    if (ms > 4 * kHour) fake::expect(false, "takes an update after one that was broken off");
  });
  fake::expect(kept().lives == 2 && kept().updates == 1, "one update, one restart");
  fake::expect(kEsp8266 || kept().confirmed == 1, "the new firmware is confirmed");
  fake::expect(kept().answers > 2 * 20 * 12, "fetches each five minutes");
  fake::expect((kept().light_readings > 0) == (board::kBoard.light != board::kUnwired), "reads the light sensor");
  fake::expect(strncmp(kept().dhcp_name, "smalltv-", 8) == 0, "the router knows its name");
}

/// The longest time that settings allow, with servers that use all of it.
void slow_servers() {
  std::string settings = kHome;
  settings.insert(1, "\"httpTimeout\":20000,");
  new_device(settings);
  fake::Server& market = servers["query1.finance.yahoo.com"];
  market.name_ms = 12000;
  market.connect_ms = 29000;
  market.handshake_ms = 5000;
  servers["query2.finance.yahoo.com"] = market;
  servers["query2.finance.yahoo.com"].connect_ms = 3000;
  servers["query2.finance.yahoo.com"].handshake_ms = UINT32_MAX;
  live_through(20 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor visitor;
    if (ms > 15 * kMinute && visitor.request.empty()) {
      visitor.request = request("GET", "/api/status");
      fake::visit(visitor);
    }
    if (ms + kMinute > 20 * kMinute)
      fake::expect(visitor.reply.find("\"symbol\":\"B\",\"source\":\"webhook\",\"valid\":true,\"fresh\":true") !=
                       std::string::npos,
                   "other rows stay fresh");
  });
}

std::string reason_with(const std::function<void(fake::Server&)>& change) {
  new_device(kHome);
  change(servers["query1.finance.yahoo.com"]);
  servers["query2.finance.yahoo.com"].known = true;
  change(servers["query2.finance.yahoo.com"]);
  static char reason[sizeof kept().setup_pass];
  live_through(3 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor visitor;
    if (ms > 2 * kMinute && visitor.request.empty()) {
      visitor.request = request("GET", "/api/status");
      fake::visit(visitor);
    }
    const size_t at = visitor.reply.find("\"error\":\"");
    if (at != std::string::npos && kept().setup_pass[0] == 0)
      snprintf(kept().setup_pass, sizeof kept().setup_pass, "%s",
               visitor.reply.substr(at + 9, visitor.reply.find('"', at + 9) - at - 9).c_str());
  });
  snprintf(reason, sizeof reason, "%s", kept().setup_pass);
  return reason;
}

void reasons() {
  const auto same = [](const std::string& got, const char* wanted) {
    if (got != wanted) printf("got %s, wanted %s\n", got.c_str(), wanted);
    fake::expect(got == wanted, wanted);
  };
  same(reason_with([](fake::Server& server) { server.refuses = true; }), "no_connection");
  same(reason_with([](fake::Server& server) { server.known = false; }), "no_address");
  same(reason_with([](fake::Server& server) { server.tls_error = -0x7780; }), "tls_failed");
  if (kEsp8266) return;
  same(reason_with([](fake::Server& server) { server.connect_ms = UINT32_MAX; }), "too_slow");
  same(reason_with([](fake::Server& server) { server.handshake_ms = UINT32_MAX; }), "too_slow");
  same(reason_with([](fake::Server& server) { server.tls_error = -0x2700; }), "certificate");
}

void router_changes() {
  new_device(kHome);
  live_through(30 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor visitor;
    if (ms > 5 * kMinute && ms < 6 * kMinute) fake::router.up = false;
    if (ms > 6 * kMinute && ms < 16 * kMinute) {
      fake::router.up = true;
      fake::router.pass = "another one";
    }
    if (ms > 15 * kMinute && ms < 16 * kMinute) fake::expect(kept().setup_pass[0] != 0, "the setup network opened");
    if (ms > 16 * kMinute) {
      fake::router.pass = "password";
      fake::router.join_ms = 13000;  // a channel shared with radar
    }
    if (ms > 20 * kMinute) fake::expect(fake::station_joined() || ms < 22 * kMinute, "it joins again, slowly");
  });
}

void slow_join() {
  new_device(kHome);
  fake::router.join_ms = 12000;
  live_through(10 * kMinute, kIdleMs, [](uint64_t ms) {
    fake::router.up = ms < 3 * kMinute || ms > 4 * kMinute;
    if (ms > 5 * kMinute)
      fake::expect(fake::station_joined(), "it joins a network that takes 12 s, after a drop as well");
  });
}

void slow_browsers() {
  new_device(kHome);
  live_through(10 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor dripping, deaf, good, better;
    if (ms > 2 * kMinute && dripping.request.empty()) {
      dripping.request = request("GET", "/" + std::string(100, 'x'));
      dripping.piece = 1;
      dripping.every_ms = 1000;
      fake::visit(dripping);
      good.request = request("GET", "/api/status");
      fake::visit(good);
    }
    if (ms > 4 * kMinute && deaf.request.empty()) {
      fake::expect(good.ended_ms != 0 && good.ended_ms < 2 * kMinute + 8 * kSecond,
                   "a slow browser holds the page for 5 s");
      deaf.request = request("GET", "/");
      deaf.reads = false;
      fake::visit(deaf);
      better.request = good.request;
      fake::visit(better);
    }
    if (ms > 6 * kMinute)
      fake::expect(better.ended_ms != 0 && better.ended_ms < 4 * kMinute + 13 * kSecond,
                   "a browser that reads nothing holds it for one write");
  });
}

void crashes() {
  new_device(kHome);
  const auto crash_at = [](uint64_t at) {
    return live(at + kMinute, kIdleMs, [at](uint64_t ms) {
      if (ms > at) fake::crash("", Cause::Watchdog);
    });
  };
  for (uint64_t minute = 1; minute < 7; minute += 2) fake::expect(!crash_at(minute * kMinute), "crashes");
  static Visitor visitor, later;
  live_through(30 * kMinute, kIdleMs, [](uint64_t ms) {
    if (ms > 8 * kMinute && visitor.request.empty()) {
      visitor.request = later.request = request("GET", "/api/status");
      fake::visit(visitor);
    }
    if (ms > 25 * kMinute && !later.accepted) {
      fake::expect(visitor.reply.find("\"safeMode\":true") != std::string::npos,
                   "the third crash starts the safe mode");
      fake::visit(later);
    }
    if (ms > 29 * kMinute)
      fake::expect(later.reply.find("\"safeMode\":false") != std::string::npos, "the safe mode ends by itself");
  });
}

/// Every image that must not be installed, and at last one that may.
void updates() {
  new_device(kHome);
  static const struct {
    const char* what;
    std::string file;
    const char* answer;
  } cases[] = {
      {"unsigned", update(), "not signed"},
      {"signed by a stranger", device::sign_update(update(), std::string(31, 0) + "x"), "not signed"},
      {"changed after it was signed",
       [] {
         std::string file = device::sign_update(update());
         file[80] = '8';
         return file;
       }(),
       "not signed"},
      {"cut off", device::sign_update(update()).substr(0, 100000), "damaged"},
      {"older", device::sign_update(update("0.9.9")), "older"},
      {"for another board",
       device::sign_update(
           device::update_file("a-toaster", board::kBoard.chip == hearth::Chip::Esp8266 ? 0xffff : 0, 200000, "9.0.0")),
       "another"},
      {"as it should be", device::sign_update(update()), "OK"},
  };
  constexpr size_t kCases = sizeof cases / sizeof cases[0];
  live_through(30 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor visitors[kCases];
    static size_t next = 0;
    if (kept().lives > 1) return;
    if (next > 0 && next < kCases && ms > (next + 1) * kMinute) {
      const std::string& reply = visitors[next - 1].reply;
      fake::expect(reply.find(cases[next - 1].answer) != std::string::npos, cases[next - 1].what);
      fake::expect(kept().updates == 0, "nothing is installed");
    }
    if (next < kCases && ms > (next + 1) * kMinute) {
      visitors[next].request = request("POST", "/update", cases[next].file);
      fake::visit(visitors[next++]);
    }
  });
  fake::expect(kept().updates == 1 && kept().lives == 2, "the signed update is installed");
}

/// A new firmware that crashes in its first minute is not started again.
void bad_update() {
  if (kEsp8266) return;
  new_device(kHome);
  kept().pending = true;
  kept().updates = 1;
  kept().cause = Cause::Restart;
  live(10 * kMinute, kIdleMs, [](uint64_t ms) {
    if (ms > 30 * kSecond) fake::crash("");
  });
  fake::expect(kept().rolled_back == 1 && kept().confirmed == 0, "the boot loader goes back");
}

}  // namespace

int main() {
  const struct {
    const char* name;
    void (*run)();
  } stories[] = {{"first start", first_start}, {"slow servers", slow_servers},
                 {"reasons", reasons},         {"router changes", router_changes},
                 {"slow join", slow_join},     {"slow browsers", slow_browsers},
                 {"crashes", crashes},         {"updates", updates},
                 {"bad update", bad_update},   {"a day", a_day}};
  for (const auto& story : stories) {
    story.run();
    printf("%s: %s, %u connections\n", board::kBoard.tag, story.name, kept().connections);
  }
  return 0;
}

// The program of a board, run on this machine as it would run on the board: boards/arduino and the chip's folder are
// linked with test/fakes/arduino in place of the Arduino core. Each story is one device.
#include "board/stories.h"

using namespace stories;

namespace {

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
  market.connect_ms = 15000;  // a limit for each step alone lets both together outlast the watchdog
  market.handshake_ms = UINT32_MAX;
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

/// How the first row ends with so much memory in both heaps of an ESP8266, and what of the first is left at the worst.
struct Fetched {
  bool fresh, low;
  uint32_t connections, lowest;
};
Fetched fetch_with(uint32_t first, uint32_t second) {
  new_device(R"({"wifi":[{"ssid":"home","pass":"password"}],"ticker":{"symbols":[{"symbol":"A"}]}})");
  fake::memory.first = first;
  fake::memory.second = second;
  live_through(2 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor visitor;
    kept().story[2] = fake::memory.lowest;
    if (ms > kMinute && visitor.request.empty()) {
      visitor.request = request("GET", "/api/status");
      fake::visit(visitor);
    }
    kept().story[0] = visitor.reply.find("\"fresh\":true") != std::string::npos;
    kept().story[1] = visitor.reply.find("low_memory") != std::string::npos;
  });
  return {kept().story[0] != 0, kept().story[1] != 0, kept().connections, kept().story[2]};
}

/// TLS takes its buffers from the second heap. Without one, the first heap is just enough, or nothing is fetched.
void two_heaps() {
  if (!kEsp8266) return;
  const Fetched both = fetch_with(14100, 13000);
  fake::expect(both.fresh && both.lowest >= 3000, "with the second heap 3 KB of the first are left");
  const Fetched one = fetch_with(14100, 0);
  fake::expect(one.fresh && one.lowest < 3000, "without it the first is just enough");
  const Fetched none = fetch_with(13500, 0);
  fake::expect(none.low && none.connections == 0, "with less it doesn't begin, and says why");
}

/// A short touch, one of 6 s, and one of 16 s.
void touches() {
  if (board::kBoard.touch == board::kUnwired) return;
  new_device(kHome);
  live_through(10 * kMinute, kIdleMs, [](uint64_t ms) {
    const auto within = [ms](uint64_t from, uint64_t length) { return from <= ms && ms < from + length; };
    fake::finger =
        kept().lives == 1 && (within(kMinute, 300) || within(2 * kMinute, 6000) || within(8 * kMinute, 16000));
    if (within(kMinute + 5 * kSecond, 200))
      fake::expect(!fake::setup_network_is_open(), "a short touch only turns a page");
    if (within(2 * kMinute + 7 * kSecond, 200))
      fake::expect(fake::setup_network_is_open(), "5 s open the setup network");
    if (within(7 * kMinute, 200)) fake::expect(fake::station_joined(), "unused, it gives way to the saved network");
  });
  fake::expect(kept().lives == 2, "15 s reset the device");
  fake::expect(
      fake::kept().files[0].size == 0 || strstr(reinterpret_cast<char*>(kept().files[0].bytes), "home\"") == nullptr,
      "and its networks are gone");
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

/// The loader: somebody sends the real firmware through its setup network.
void loader() {
  new_device("");
  live_through(10 * kMinute, kIdleMs, [](uint64_t ms) {
    static Visitor check, wrong, right;
    if (ms < kMinute || kept().lives > 1) return;
    if (check.request.empty()) {
      fake::expect(fake::setup_network_is_open(), "its setup network is open");
      check.request = request("GET", "/api/checkupdate", "", "192.168.4.1");
      wrong.request = request("POST", "/update", update(), "192.168.4.1");
      fake::visit(check);
      fake::visit(wrong);
    }
    if (ms > 3 * kMinute && right.request.empty()) {
      fake::expect(check.reply.find("can't download") != std::string::npos, "it says that it can't download");
      fake::expect(wrong.reply.find("not signed") != std::string::npos, "it refuses what is not signed");
      right.request = request("POST", "/update", device::sign_update(update("1.0.0")), "192.168.4.1");
      fake::visit(right);
    }
  });
  fake::expect(kept().updates == 1 && kept().lives == 2, "it installs the signed firmware of its own version");
  fake::expect(kept().connections == 0, "it asks no server");
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "week") == 0) {
    week();
    printf("%s: a week, %u lives, %u connections\n", board::kBoard.tag, kept().lives, kept().connections);
    return 0;
  }
  if (kLoader) {
    loader();
    return 0;
  }
  const struct {
    const char* name;
    void (*run)();
  } all[] = {{"first start", first_start},
             {"slow servers", slow_servers},
             {"reasons", reasons},
             {"router changes", router_changes},
             {"slow join", slow_join},
             {"slow browsers", slow_browsers},
             {"crashes", crashes},
             {"updates", updates},
             {"two heaps", two_heaps},
             {"own update", own_update},
             {"touches", touches},
             {"bad update", bad_update},
             {"a day", a_day}};
  for (const auto& story : all) {
    story.run();
    printf("%s: %s, %u connections\n", board::kBoard.tag, story.name, kept().connections);
  }
  return 0;
}

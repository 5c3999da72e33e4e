// ticker-week: a week of a device with outages, in virtual time. Prints the transition log; the exit code is 1 if a
// rule was violated.
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include <memory>

#include "app/app.h"
#include "boards/esp32/hashes.h"
#include "log.h"
#include "rules.h"
#include "world.h"

namespace {

using namespace week;

class NoPanel final : public hearth::Panel {
 public:
  void configure(const hearth::PanelSetup&) override {}
  void window(uint16_t, uint16_t, uint16_t, uint16_t) override {}
  void push(const uint16_t*, size_t) override {}
  void backlight(uint8_t) override {}
  bool has_light() override { return false; }
  uint8_t light() override { return 0; }
};

class Chance final : public hearth::Entropy {
 public:
  void fill(void* bytes, size_t size) override {
    for (size_t i = 0; i < size; ++i)
      static_cast<uint8_t*>(bytes)[i] = static_cast<uint8_t>((state_ = state_ * 1664525u + 1013904223u) >> 24);
  }

 private:
  uint32_t state_ = 1;
};

/// Discards bytes except for the last few.
class Swallow final : public hearth::ByteSink, public hearth::Log {
 public:
  bool write(const void* bytes, size_t size) override {
    last.append(static_cast<const char*>(bytes), size);
    if (last.size() > 4096) last.erase(0, last.size() - 4096);
    return true;
  }
  void line(const char*) override {}
  std::string last;
};

constexpr uint64_t kIdleStep = 1000, kBusyStep = 20;

std::string settings() {
  std::string rows;
  for (const Row& row : kRows)
    rows +=
        std::string(rows.empty() ? "" : ",") + "{\"symbol\":\"" + row.symbol + "\",\"source\":\"" + row.source + "\"}";
  return "{\"hostname\":\"week\",\"wifi\":[{\"ssid\":\"attic\",\"pass\":\"behind the "
         "door\"},{\"ssid\":\"home\",\"pass\":\"behind the wall\"}],"
         "\"ticker\":{\"webhookUrl\":\"http://hub.home/hook\",\"range\":\"1d\",\"pollSec\":" +
         std::to_string(kPollSeconds) + ",\"symbols\":[" + rows +
         "]},"
         "\"clock\":{\"tz\":\"Europe/Zurich\",\"tzPosix\":\"CET-1CEST,M3.5.0,M10.5.0/"
         "3\",\"nightEnabled\":true,\"nightLevel\":5}}";
}

struct Week {
  WeekClock clock;
  sim::Options options;
  sim::Faults faults;
  sim::FakeWifi wifi{options, faults, clock};
  Market market;
  VirtualNet net{market, clock, wifi};
  MemoryStore store;
  NoPanel panel;
  Chance chance;
  board::ChipHashes hashes;
  Swallow serial;
  WeekSystem system{clock};
  TransitionLog log;
  Rules rules{net, clock};
  std::unique_ptr<hearth::App> app;

  void start(hearth::ResetCause cause) {
    net.close();
    wifi.leave();
    clock.forget();
    system.again = false;
    system.cause = cause;
    app = std::make_unique<hearth::App>(
        hearth::Ports{clock, net, wifi, store, panel, chance, hashes, serial, system, serial, nullptr});
    app->start();
    rules.disturbed();
  }

  /// Sends a request to the page of the device; returns the status line.
  std::string post(const std::string& path, const std::string& body) {
    Swallow client;
    const std::string request =
        "POST " + path +
        " HTTP/1.1\r\nHost: 192.168.4.1\r\nX-Hearth: 1\r\nContent-Type: application/json\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    app->web_open();
    app->web_receive(reinterpret_cast<const uint8_t*>(request.data()), request.size(), client);
    for (int i = 0; i < 100 && !app->web_poll(client); ++i) turn(kBusyStep);
    app->web_closed();
    return client.last.substr(0, client.last.find("\r\n"));
  }

  void turn(uint64_t step) {
    const uint64_t before = clock.total();
    faults.wifi_down = wifi_is_down(before);
    clock.step(step, wifi.joined());
    app->tick();
    log.look(app->view(), clock.total());
    rules.check(app->view(), wifi.joined());
    if (system.again) {
      log.note(clock.total(), "restarts");
      start(hearth::ResetCause::Restart);
    }
    if (power_fails(before, clock.total())) {
      log.note(clock.total(), "loses power");
      start(hearth::ResetCause::PowerOn);
    }
    if (refresh_pressed(before, clock.total())) log.note(clock.total(), "refresh: " + post("/api/refresh", ""));
  }

  void live_until(uint64_t end) {
    while (clock.total() < end) turn(net.busy() ? kBusyStep : kIdleStep);
  }
};

}  // namespace

int main() {
  Week week;
  week.options.networks = {{"home", "behind the wall", -50}};
  week.start(hearth::ResetCause::PowerOn);
  week.live_until(5 * 1000);
  week.log.note(week.clock.total(), "configured: " + week.post("/api/config", settings()));
  week.live_until(kDay);
  const size_t memory = mallinfo2().uordblks;
  const size_t files = week.store.bytes();
  week.live_until(7 * kDay);

  unsigned broken = week.rules.broken();
  const auto rule = [&](bool holds, const char* text) {
    if (holds) return;
    ++broken;
    printf("BROKEN at the end: %s\n", text);
  };
  rule(mallinfo2().uordblks < memory + 64 * 1024, "memory grew");
  rule(week.store.bytes() <= files, "files grew");
  rule(week.net.opened - week.net.closed <= 1, "connections stay open");
  for (const Row& row : kRows)
    printf("%s: %llu requests\n", row.symbol,
           static_cast<unsigned long long>(week.market.records[row.symbol].requests));
  printf("%llu connections, %llu files written, %u rules broken\n", static_cast<unsigned long long>(week.net.opened),
         static_cast<unsigned long long>(week.store.commits), broken);
  return broken == 0 ? 0 : 1;
}

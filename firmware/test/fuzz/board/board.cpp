// The whole program of a board among everything that can happen to it: a script of serial bytes, browsers, networks,
// servers, power cuts. Nothing in it may crash a board, and after it the page must answer again without a person.
#include "boards/arduino/main.cpp"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <list>
#include <new>

#include "fakes/arduino/world.h"
#include "fuzz/fuzz.h"
#include "profile.h"
#include "update_file.h"

namespace {

constexpr uint32_t kTurnMs = 2000, kBusyTurnMs = 20;
constexpr uint64_t kMinute = 60000;
// The safe mode, and a turn of a lost network.
constexpr uint64_t kRecovery = 15 * kMinute;
const char kSettings[] =
    R"({"wifi":[{"ssid":"home","pass":"password"},{"ssid":"away","pass":"password"}],"httpTimeout":2000,)"
    R"("ticker":{"pollSec":300,"rotateSec":3600,"webhookUrl":"http://hub.home/hook","symbols":[{"symbol":"A"},)"
    R"({"symbol":"B","source":"webhook"}]}})";

jmp_buf life_ended;
std::list<fake::Visitor> visitors;

/// The constructors of main.cpp's objects, as a reset runs them.
void construct() {
  net.close();
  new (&board_clock) board::NetClock();
  new (&net) board::ClientNet();
  new (&radio) board::Radio();
  new (&store) board::FlashStore();
  new (&panel) board::St7789();
  new (&chip) board::ChipSystem();
  new (&hashes) board::ChipHashes();
  new (&web) WebClient();
  new (&screen) hearth::Screen();
  new (&app)
      hearth::App({board_clock, net, radio, store, panel, chance, hashes, serial_line, chip, serial_line, &painter});
}

void power_on() {
  fake::kept().lives++;
  fake::power_off();
  visitors.clear();
  construct();
  setup();
}

/// Turns of the loop; a restart within them begins a new life and goes on.
void run(uint64_t ms) {
  const uint64_t end = fake::now_ms() + ms;
  if (setjmp(life_ended) != 0) power_on();
  while (fake::now_ms() < end) {
    loop();
    fake::pass(fake::busy_sockets() || !fake::cable.empty() ? kBusyTurnMs : kTurnMs);
  }
}

fake::Visitor& visit(const std::string& request) {
  visitors.emplace_back();
  visitors.back().request = request;
  fake::visit(visitors.back());
  return visitors.back();
}

std::string post(const char* path, const std::string& body) {
  return std::string("POST ") + path +
         " HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

/// Reads the script.
struct Script {
  const uint8_t* at;
  const uint8_t* end;
  uint8_t byte() { return at < end ? *at++ : 0; }
  std::string text() {
    const size_t size = std::min<size_t>(byte(), static_cast<size_t>(end - at));
    at += size;
    return std::string(reinterpret_cast<const char*>(at) - size, size);
  }
};

void change_router(uint8_t how) {
  fake::router.up = (how & 1) == 0;
  fake::router.captive = (how & 2) != 0;
  fake::router.pass = (how & 4) != 0 ? "another one" : "password";
  fake::router.ssid = (how & 8) != 0 ? "away" : "home";
  fake::router.join_ms = (how & 16) != 0 ? 18000 : 3000;
}

void change_server(uint8_t how, const std::string& reply) {
  fake::Server& server = fake::servers[(how & 1) != 0 ? "hub.home" : "query1.finance.yahoo.com"];
  server = fake::Server();
  server.refuses = (how & 2) != 0;
  server.known = (how & 4) == 0;
  if ((how & 8) != 0) server.connect_ms = UINT32_MAX;
  if ((how & 16) != 0) server.handshake_ms = UINT32_MAX;
  if ((how & 32) != 0) server.tls_error = -0x7780;
  if ((how & 64) != 0) server.name_ms = 15000;
  server.reply = [reply](const std::string&) { return "HTTP/1.1 200 OK\r\n\r\n" + reply; };
}

void step(Script* script) {
  switch (script->byte() % 8) {
    case 0:
      fake::cable += script->text();
      break;
    case 1: {
      fake::Visitor& visitor = visit(script->text());
      visitor.every_ms = script->byte() * 20u;
      break;
    }
    case 2: {
      const std::string body = script->text();
      fake::Visitor& visitor = visit(post(script->byte() % 2 == 0 ? "/api/config" : "/api/import", body));
      const uint8_t share = script->byte();
      visitor.leaves_at = share == 255 ? SIZE_MAX : visitor.request.size() * share / 255;
      visitor.reads = script->byte() % 4 != 0;
      break;
    }
    case 3: {
      static const std::string file = device::sign_update(device::update_file(
          board::kBoard.tag, board::kBoard.chip == hearth::Chip::Esp8266 ? 0xffff : 0, 5000, "9.0.0"));
      fake::Visitor& visitor = visit(post("/update", file));
      visitor.leaves_at = visitor.request.size() * (1 + script->byte()) / 256;
      break;
    }
    case 4:
      change_router(script->byte());
      break;
    case 5: {
      const uint8_t how = script->byte();
      change_server(how, script->text());
      break;
    }
    case 6:
      run(1000u * script->byte());
      break;
    default:
      fake::kept().cause = static_cast<fake::Cause>(script->byte() % 4);
      fake::light = static_cast<uint8_t>(script->byte() % 101);
      power_on();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fake::end_of_life = [](bool crashed) {
    if (crashed) fprintf(stderr, "the board crashed: %s\n", fake::kept().crash);
    fuzz::must(!crashed);
    longjmp(life_ended, 1);
  };
  memset(static_cast<void*>(&fake::kept()), 0, sizeof(fake::Kept));
  fake::kept().us = 1000000;
  fake::KeptFile& file = fake::kept().files[0];
  strcpy(file.name, "/settings.json");
  memcpy(file.bytes, kSettings, sizeof kSettings - 1);
  file.size = sizeof kSettings - 1;
  fake::servers.clear();
  change_server(0, "{}");
  change_server(1, "{\"price\":7}");
  change_router(0);
  power_on();
  for (Script script{data, data + size}; script.at < script.end;) step(&script);
  change_router(0);
  change_server(1, "{\"price\":7}");
  fake::cable.clear();
  run(kRecovery);
  fuzz::must(fake::station_joined() || fake::setup_network_is_open());
  for (uint32_t lives = 0; lives != fake::kept().lives;) {  // once more if it restarted meanwhile
    lives = fake::kept().lives;
    const fake::Visitor& last = visit(std::string("GET /api/status HTTP/1.1\r\nHost: ") +
                                      (fake::station_joined() ? "192.168.1.20" : "192.168.4.1") + "\r\n\r\n");
    run(kMinute);
    fuzz::must(lives != fake::kept().lives || last.reply.compare(0, 9, "HTTP/1.1 ") == 0);
  }
  return 0;
}

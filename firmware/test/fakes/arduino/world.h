// The world around a simulated board: time, a router, servers on the internet, browsers, flash memory, resets. It
// behaves as the sources of the Arduino cores do (ESP8266 core 3.1.2, ESP32 core 3.3), and `crash`es on what would
// crash a board or must never be done to one. Each life of the device, from one reset to the next, is a process of its
// own.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <map>
#include <string>

namespace fake {

enum class Cause : uint8_t { PowerOn, Restart, Crash, Watchdog };

struct KeptFile {
  char name[48];
  uint32_t size;
  uint8_t bytes[6000];
};

/// What a reset does not change; shared by all lives of a device.
struct Kept {
  uint64_t us;  ///< since the device was made
  Cause cause;
  char crash[160];     ///< why the last life ended, "" = restart or the end of the story
  uint8_t rtc[512];    ///< ESP8266; a power cut fills it with noise
  uint8_t noinit[64];  ///< ESP32
  KeptFile files[6];
  uint32_t updates;    ///< images that were marked for the next start
  bool pending;        ///< ESP32: the running image must still prove itself
  uint32_t confirmed;  ///< calls that confirmed it
  uint32_t rolled_back;
  uint32_t lives, connections, answers, light_readings;
  char dhcp_name[40];  ///< under which the router knows the device
  char setup_pass[64];
  uint32_t story[4];  ///< for the story: its own variables begin anew with every life
};
Kept& kept();

struct Router {
  std::string ssid = "home", pass = "password";
  bool up = true;
  bool captive = false;  ///< every server is the login page of the hotel
  uint32_t join_ms = 3000;
};
/// A server. Times are what it takes before it answers; UINT32_MAX = never.
struct Server {
  uint32_t name_ms = 20, connect_ms = 30, handshake_ms = 400, reply_ms = 50;
  bool known = true, refuses = false;
  int tls_error = 0;
  std::function<std::string(const std::string& request)> reply;
};
/// A browser. It sends `request` in `pieces`, one each `every_ms`, and leaves after `leaves_at` bytes of it.
struct Visitor {
  std::string request;
  size_t piece = 1460;
  uint32_t every_ms = 0;
  size_t leaves_at = SIZE_MAX;
  bool reads = true;
  // The rest is written by the fake.
  size_t sent = 0;
  uint64_t next_ms = 0;
  uint64_t ended_ms = 0;
  bool accepted = false, left = false;
  std::string reply;
};

/// Memory of an ESP8266 that is free without a connection. The second heap comes from the cache of its code.
struct Memory {
  uint32_t first = 30000, block = 20000, second = 13000;
  uint32_t lowest = UINT32_MAX;  ///< of the first heap; written by the fake
};

// Set before a life begins, or by its story.
extern Router router;
extern Memory memory;
extern std::map<std::string, Server> servers;
extern uint8_t light;
extern bool finger;  ///< on the touch pad
/// Bytes that somebody sends over the cable.
extern std::string cable;
/// Ends a life in place of the end of its process; for a harness whose lives share one. It doesn't return.
extern void (*end_of_life)(bool crashed);
/// Forgets what a life leaves in RAM, for the same harness.
void power_off();

/// Brings a browser to the device's page; it must live as long as the life.
void visit(Visitor& visitor);
uint64_t now_ms();
/// Time passes inside of a call of the core, which lets the radio work meanwhile.
void pass(uint32_t ms);
/// What a board does on a failed assertion.
[[noreturn]] void crash(const char* why, Cause cause = Cause::Crash);
[[noreturn]] void reset(Cause cause);
/// Fails the test when a promise of the harness is broken; the text says which.
void expect(bool holds, const char* what);

/// One life: `setup`, then `loop` until `until_ms`, with `story` after every turn. Returns false if it ended earlier,
/// by a restart or a crash; the kept state then says why.
bool live(uint64_t until_ms, uint32_t idle_ms, const std::function<void(uint64_t ms)>& story);

bool station_joined();
bool setup_network_is_open();

// Among the fakes themselves.
bool busy_sockets();
void radio_passes();
void watchdog_passes();
bool network_stack_is_up();
void forget_radio();
void forget_sockets();
void forget_flash();

}  // namespace fake

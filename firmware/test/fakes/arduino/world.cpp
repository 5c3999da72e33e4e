#include "world.h"

#include <Arduino.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(ESP32)
#include <esp_ota_ops.h>
extern "C" bool verifyRollbackLater();
#endif

void setup();
void loop();

namespace fake {

namespace {
constexpr int kRestarted = 10, kCrashed = 11, kBroken = 12;
constexpr uint32_t kBusyMs = 20;
constexpr uint64_t kCloseLookMs = 60000;  // short turns at first, which show calls that come too often
constexpr int64_t kEpoch = 1793912400;    // 2026-11-06 01:00 UTC

/// Shared with the processes of all lives.
Kept* share() {
  void* place = mmap(nullptr, sizeof(Kept), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? nullptr : new (place) Kept();
}
}  // namespace

Router router;
Memory memory;
std::map<std::string, Server> servers;
uint8_t light = 50;
bool finger = false;
std::string cable;
void (*end_of_life)(bool crashed) = nullptr;

Kept& kept() {
  static Kept* const place = share();
  return *place;
}

uint64_t now_ms() { return kept().us / 1000; }

void pass(uint32_t ms) {
  for (uint32_t left = ms; left > 0;) {
    const uint32_t step = left < 100 ? left : 100;
    kept().us += static_cast<uint64_t>(step) * 1000;
    left -= step;
    radio_passes();
    watchdog_passes();
  }
}

void power_off() {
  forget_radio();
  forget_sockets();
  forget_flash();
  memory = Memory();
  cable.clear();
}

void reset(Cause cause) {
  kept().cause = cause;
  if (end_of_life != nullptr) end_of_life(false);
  fflush(stdout);
  _exit(kRestarted);
}

void crash(const char* why, Cause cause) {
  snprintf(kept().crash, sizeof kept().crash, "%s", why);
  kept().cause = cause;
  if (end_of_life != nullptr) end_of_life(true);
  fflush(stdout);
  _exit(kCrashed);
}

void expect(bool holds, const char* what) {
  if (holds) return;
  printf("BROKEN at %llu ms: %s\n", static_cast<unsigned long long>(now_ms()), what);
  fflush(stdout);
  _exit(kBroken);
}

bool live(uint64_t until_ms, uint32_t idle_ms, const std::function<void(uint64_t ms)>& story) {
  Kept& state = kept();
  state.crash[0] = 0;
  state.lives++;
  if (state.cause == Cause::PowerOn) {
    for (uint8_t& byte : state.rtc) byte = 0x5a;
    for (uint8_t& byte : state.noinit) byte = 0xa5;
  }
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
#if defined(ESP32)
    if (state.pending && !verifyRollbackLater()) esp_ota_mark_app_valid_cancel_rollback();  // as initArduino
#endif
    setup();
    while (now_ms() < until_ms) {
      loop();
      story(now_ms());
      pass(busy_sockets() || now_ms() < kCloseLookMs ? kBusyMs : idle_ms);
    }
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code != 0 && code != kRestarted && code != kCrashed) {
    printf("BROKEN: a life of the device ended with status %d\n", status);
    exit(1);
  }
  if (code == 0) return true;
#if defined(ESP32)
  if (state.pending && code == kCrashed) {  // the boot loader starts the previous image
    state.pending = false;
    state.rolled_back++;
  } else if (code == kRestarted && state.updates > state.confirmed + state.rolled_back) {
    state.pending = true;
  }
#endif
  return false;
}

}  // namespace fake

extern "C" {
unsigned long millis(void) { return static_cast<unsigned long>(static_cast<uint32_t>(fake::now_ms())); }
void delay(unsigned long ms) { fake::pass(static_cast<uint32_t>(ms)); }
void yield(void) {}
time_t __wrap_time(time_t* place) {
  const time_t seconds = static_cast<time_t>(fake::kEpoch + static_cast<int64_t>(fake::now_ms() / 1000));
  if (place != nullptr) *place = seconds;
  return seconds;
}
}

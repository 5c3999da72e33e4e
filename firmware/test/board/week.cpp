// A week of one device, with everything at once that homes do to it. Afterwards, and after each calm quarter of an
// hour, it must be as on its first day without anybody's help.
#include "board/stories.h"

namespace stories {

namespace {

constexpr uint64_t kWeek = 7 * kDay, kCalm = 15 * kMinute, kProbeEvery = 30 * kMinute;

constexpr uint64_t at(uint64_t day, uint64_t hour, uint64_t minute = 0) {
  return day * kDay + hour * kHour + minute * kMinute;
}

enum class Trouble : uint8_t { NoRouter, OtherPassword, LoginPage };
const struct {
  uint64_t from, to;
  Trouble trouble;
} kTroubles[] = {
    {at(0, 9), at(0, 9, 2), Trouble::NoRouter},          // restarts, and searches for radar first
    {at(1, 8), at(1, 10), Trouble::LoginPage},           // the line is sold anew each morning
    {at(2, 3), at(2, 9), Trouble::NoRouter},             // a power cut of the router alone
    {at(3, 10), at(3, 10, 20), Trouble::OtherPassword},  // typed wrong, and corrected
    {at(4, 2), at(4, 2, 1), Trouble::NoRouter},
    {at(4, 20), at(4, 23), Trouble::LoginPage},
    {at(5, 12), at(5, 12, 1), Trouble::NoRouter},  // comes back with the password for good, see kNewPassword
};
constexpr uint64_t kNewPassword = at(5, 12), kTold = at(5, 12, 30);
/// The watchdog bites each midnight, and on the third day so often that the safe mode begins.
constexpr uint64_t kBites[] = {at(1, 0), at(2, 0), at(3, 0), at(3, 0, 3), at(3, 0, 6), at(4, 0), at(5, 0), at(6, 0)};
constexpr uint32_t kRadarMs = 18000;  // 15 s of listening for radar, then the join itself

bool within(uint64_t ms, uint64_t from, uint64_t to) { return from <= ms && ms < to; }

/// The last moment before which something was wrong.
uint64_t calm_since(uint64_t ms) {
  uint64_t since = 0;
  for (const auto& window : kTroubles) {
    if (window.from <= ms) since = std::max(since, std::min(window.to, ms));
  }
  for (const uint64_t bite : kBites) {
    if (bite <= ms) since = std::max(since, bite);
  }
  if (within(ms, kNewPassword, kTold)) since = ms;
  return kTold <= ms ? std::max(since, kTold) : since;
}

void set_router(uint64_t ms) {
  fake::router = fake::Router();
  fake::router.join_ms = kRadarMs;
  if (ms >= kNewPassword) fake::router.pass = "for good: 2026";
  for (const auto& window : kTroubles) {
    if (!within(ms, window.from, window.to)) continue;
    if (window.trouble == Trouble::NoRouter) fake::router.up = false;
    if (window.trouble == Trouble::OtherPassword) fake::router.pass = "a slip of the hand";
    if (window.trouble == Trouble::LoginPage) fake::router.captive = true;
  }
}

/// Asks for the status each half hour, in calm times with the wanted answer.
void probe(uint64_t ms) {
  static Visitor visitor;
  static uint64_t asked_ms = 0;
  if (asked_ms != 0 && ms >= asked_ms + kMinute && !visitor.reply.empty()) {
    const bool calm = asked_ms - calm_since(asked_ms) >= kCalm && asked_ms >= kCalm;
    const auto says = [](const char* text) { return visitor.reply.find(text) != std::string::npos; };
    if (calm && !says("\"connected\":true")) fake::expect(false, visitor.reply.c_str());
    if (calm && says("\"fresh\":false")) fake::expect(false, visitor.reply.c_str());
    fake::expect(!calm || says("\"safeMode\":false"), "the safe mode is over");
    asked_ms = 0;
    visitor = Visitor();
    kept().story[1]++;
  }
  if (asked_ms != 0) fake::expect(ms < asked_ms + 2 * kMinute, "the page answers within two minutes");
  if (asked_ms == 0 && ms % kProbeEvery < 10 * kSecond && (fake::station_joined() || fake::setup_network_is_open())) {
    asked_ms = ms;
    visitor.request = request("GET", "/api/status", "", fake::station_joined() ? "192.168.1.20" : "192.168.4.1");
    fake::visit(visitor);
  }
}

/// Three times an hour somebody leaves in the middle of a POST, each time after another part of it.
void leave(uint64_t ms) {
  static Visitor visitor;
  static uint64_t next_ms = 0;
  if (ms < next_ms || !fake::station_joined()) return;
  next_ms = ms + 20 * kMinute;
  const uint32_t turn = kept().story[2]++;
  static const std::string file = device::sign_update(update("9.0.0", 6000));
  const bool settings = turn % 2 == 0;
  visitor = Visitor();
  visitor.request = settings ? request("POST", "/api/config", R"({"ticker":{"pollSec":3600},"brightness":5})")
                             : request("POST", "/update", file);
  visitor.leaves_at = 1 + turn * 7919 % (visitor.request.size() - 1);
  fake::visit(visitor);
}

/// Somebody types the new password into the page of the setup network, once it is open.
void tell_password(uint64_t ms) {
  static Visitor visitor;
  if (ms < kNewPassword + 10 * kMinute || kept().story[3] != 0 || !fake::setup_network_is_open()) return;
  kept().story[3] = 1;
  visitor.request =
      request("POST", "/api/config", R"({"wifi":[{"ssid":"home","pass":"for good: 2026"}]})", "192.168.4.1");
  fake::visit(visitor);
}

}  // namespace

void week() {
  std::string settings = kHome;
  settings.insert(settings.find("[{") + 1, R"({"ssid":"office","pass":"password"},)");
  new_device(settings);
  kept().crash[0] = 0;
  live_through(kWeek, 8 * kIdleMs, [](uint64_t ms) {
    set_router(ms);
    uint32_t& bites = kept().story[0];
    if (bites < sizeof kBites / sizeof kBites[0] && ms >= kBites[bites]) {
      bites++;
      fake::crash("", Cause::Watchdog);
    }
    leave(ms);
    tell_password(ms);
    probe(ms);
  });
  fake::expect(kept().story[0] == sizeof kBites / sizeof kBites[0], "every bite took place");
  fake::expect(kept().story[1] > 250, "the page was asked all week");
  fake::expect(kept().story[2] > 400, "browsers left all week");
  fake::expect(kept().story[3] == 1, "the setup network opened for the new password");
  fake::expect(kept().updates == 0, "no broken upload was installed");
  fake::expect(kept().lives == 2 + sizeof kBites / sizeof kBites[0], "one restart, for the new password");
}

}  // namespace stories

#include "plan.h"

namespace week {
namespace {

/// Starts at a day and hour and lasts this many minutes, for hosts and targets that contain these texts ("" = all).
struct Window {
  uint64_t from;
  uint64_t minutes;
  const char* host;
  const char* target;
  Trouble trouble;
};

constexpr uint64_t at(uint64_t day, uint64_t hour, uint64_t minute = 0) {
  return day * kDay + hour * kHour + minute * kMinute;
}

const Window kTroubles[] = {
    {at(0, 2), 20, "", "", Trouble::Silent},         // the router's line is dead
    {at(0, 4), 30, "query1", "", Trouble::Refused},  // one host down: the mirror replies
    {at(0, 6), 45, "query", "", Trouble::Refused},   // both down
    {at(0, 9), 30, "", "", Trouble::NoAddress},      // no name server
    {at(0, 12), 20, "", "", Trouble::Garbage},       // a maintenance page everywhere
    {at(0, 15), 15, "", "", Trouble::CutShort},
    {at(0, 18), 15, "", "", Trouble::Drip},  // one byte a second
    {at(0, 21), 15, "", "", Trouble::Huge},
    {at(1, 1), 60, "query", "", Trouble::Status429},
    {at(1, 4), 40, "", "", Trouble::Chunked},  // correct replies in chunks of seven bytes
    {at(1, 7), 30, "", "", Trouble::TlsFails},
    {at(1, 10), 30, "", "", Trouble::BadCertificate},
    {at(1, 13), 20, "", "", Trouble::BreaksOff},
    {at(1, 16), 30, "", "", Trouble::Status503},
    {at(1, 19), 30, "query", "", Trouble::Redirect},            // sent to the mirror
    {at(2, 3), 24 * 60, "query", "BTC-USD", Trouble::Garbage},  // one symbol broken for a day
    {at(3, 8), 30, "", "", Trouble::NullPrice},
    {at(3, 10), 40, "", "hook", Trouble::SaysNo},
    {at(3, 12), 90, "cash", "timeserie", Trouble::Status503},  // quotes go on, closes do not
    {at(4, 0), 26 * 60, "raw", "", Trouble::Status503},        // more than a day without published files
    {at(5, 12), 5, "", "", Trouble::Silent},
    {at(5, 12, 5), 5, "", "", Trouble::Garbage},
    {at(5, 12, 10), 5, "", "", Trouble::Huge},
    {at(5, 12, 15), 5, "", "", Trouble::TlsFails},
    {at(6, 20), 60, "", "", Trouble::NoAddress},
};

bool within(uint64_t ms, uint64_t from, uint64_t minutes) { return ms >= from && ms < from + minutes * kMinute; }
bool crosses(uint64_t from, uint64_t to, uint64_t moment) { return from < moment && moment <= to; }

}  // namespace

Trouble trouble_of(const std::string& host, const std::string& target, uint64_t ms) {
  for (const Window& window : kTroubles) {
    if (within(ms, window.from, window.minutes) && host.find(window.host) != std::string::npos &&
        target.find(window.target) != std::string::npos)
      return window.trouble;
  }
  return Trouble::None;
}

bool wifi_is_down(uint64_t ms) {
  return within(ms, at(2, 14), 25) || within(ms, at(4, 6), 1) || within(ms, at(6, 3), 180);
}

int64_t time_jump(uint64_t ms) {
  if (within(ms, at(3, 0), 120)) return 86400;                // a day ahead
  if (within(ms, at(3, 4), 120)) return -40 * 365 * 86400LL;  // back before 2021
  if (within(ms, at(5, 2), 120)) return -3600;
  return 0;
}

bool time_servers_are_down(uint64_t ms) { return within(ms, at(4, 18), 12 * 60); }

uint32_t largest_block(uint64_t ms) {
  return within(ms, at(2, 18), 60) ? 9000 : within(ms, at(2, 20), 60) ? 15000 : 24000;
}

bool power_fails(uint64_t from_ms, uint64_t to_ms) { return crosses(from_ms, to_ms, at(4, 12)); }

bool refresh_pressed(uint64_t from_ms, uint64_t to_ms) {
  return crosses(from_ms, to_ms, at(0, 6, 20)) || crosses(from_ms, to_ms, at(5, 9));
}

}  // namespace week

// The faults of the week in one table, which can be compared with the log.
#pragma once
#include <stdint.h>

#include <string>

namespace week {

enum class Trouble : uint8_t {
  None,
  // of the network
  NoAddress,
  Refused,
  TlsFails,
  BadCertificate,
  BreaksOff,
  Silent,
  // of the answer
  Garbage,
  CutShort,
  Drip,
  Huge,
  Chunked,
  Status429,
  Status503,
  Redirect,
  NullPrice,
  SaysNo,
};

constexpr uint64_t kMinute = 60 * 1000;
constexpr uint64_t kHour = 60 * kMinute;
constexpr uint64_t kDay = 24 * kHour;

/// The fault that affects a request; `host` and `target` as in the request, `ms` since the start of the week.
Trouble trouble_of(const std::string& host, const std::string& target, uint64_t ms);

bool wifi_is_down(uint64_t ms);
/// Number of seconds by which time servers are wrong.
int64_t time_jump(uint64_t ms);
bool time_servers_are_down(uint64_t ms);
/// Largest free block of the heap.
uint32_t largest_block(uint64_t ms);
/// Whether the device loses power and restarts.
bool power_fails(uint64_t from_ms, uint64_t to_ms);
/// Whether a user presses "refresh" on the page.
bool refresh_pressed(uint64_t from_ms, uint64_t to_ms);

}  // namespace week

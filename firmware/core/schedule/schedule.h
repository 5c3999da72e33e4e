// Decides when to fetch which symbol. Pure: state, time and event in, action out.
#pragma once
#include "settings/settings.h"

namespace hearth {

/// Delays after failures: 12, 24, 48, 96 s, each at most the poll interval; from the fifth failure, the poll interval.
constexpr uint32_t kFirstRetryMs = 12000;
constexpr uint8_t kRetrySteps = 4;
/// A host that asks for patience gets at least a minute, and at most an hour even if it asks for more.
constexpr uint32_t kLeastHoldMs = 60000;
constexpr uint32_t kMostHoldMs = 3600000;

enum class ScheduleEventKind : uint8_t {
  Tick,       ///< nothing happened
  Refresh,    ///< all due now, failures forgotten (refresh button, saved settings); `rows` says how many symbols there
              ///< are
  Succeeded,  ///< the requested fetch
  Failed,     ///< the same
  TryMirror,  ///< the same, but its source has a second host: repeated once on the next step
  Skipped,    ///< the heap guard forbade it: as a failure
  Cancelled,  ///< something more urgent took its place: once more in a second
};

struct ScheduleEvent {
  ScheduleEventKind kind;
  uint8_t rows;
};

struct ScheduleRow {
  uint32_t due_ms;
  uint8_t failures;
  bool mirror;  ///< the next fetch goes to the second host
  bool held;    ///< its host asked for patience: due later than an interval, perhaps
};

struct ScheduleState {
  ScheduleRow rows[kMaxSymbols];
  uint8_t count;
  uint8_t next;  ///< where the search for a due row begins
  int8_t busy;   ///< row that is being fetched, -1 = none
};

struct ScheduleAction {
  enum Kind : uint8_t { Wait, Fetch } kind;
  uint8_t row;
  bool mirror;
  uint32_t wait_ms;  ///< until the next row is due
};

/// How often each row is fetched.
struct Intervals {
  /// The same for all rows.
  Intervals(uint32_t ms) : common_ms(ms) {}  // NOLINT: numbers are intervals
  explicit Intervals(const TickerSettings& ticker) : common_ms(ticker.poll_s * 1000u), settings(&ticker) {}
  uint32_t of(uint8_t row) const {
    return settings == nullptr ? common_ms : row_poll_s(*settings, settings->rows[row]) * 1000u;
  }
  uint32_t common_ms;
  const TickerSettings* settings = nullptr;
};

/// An empty schedule.
ScheduleState schedule_start();

/// One step: processes the event, then requests at most one fetch. Handles the wrap of `now_ms` and jumps of the clock:
/// a row is never due later than one interval from now.
ScheduleAction schedule_step(ScheduleState* state, uint32_t now_ms, const Intervals& poll, ScheduleEvent event);

/// The host of some rows asked for patience: none of them is due before `wait_ms` have passed.
void schedule_hold(ScheduleState* state, uint32_t now_ms, uint8_t row, uint32_t wait_ms);

/// Milliseconds until a row is due, 0 = now.
uint32_t schedule_wait(const ScheduleState& state, uint8_t row, uint32_t now_ms);

}  // namespace hearth

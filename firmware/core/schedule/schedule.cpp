#include "schedule/schedule.h"

namespace hearth {
namespace {

constexpr uint32_t kCancelledMs = 1000;

/// Time left until `due`; the subtraction is correct even when the 32-bit clock wraps.
int32_t left(uint32_t due, uint32_t now) { return static_cast<int32_t>(due - now); }

uint32_t retry_delay(uint8_t failures, uint32_t poll_ms) {
  if (failures == 0 || failures > kRetrySteps) return poll_ms;
  const uint32_t delay = kFirstRetryMs << (failures - 1);
  return delay < poll_ms ? delay : poll_ms;
}

void reset_rows(ScheduleState* state, uint32_t now, uint8_t rows) {
  state->count = rows < kMaxSymbols ? rows : kMaxSymbols;
  state->next = 0;
  state->busy = -1;
  for (uint8_t i = 0; i < kMaxSymbols; i++) state->rows[i] = ScheduleRow{now, 0, false, false};
}

void finish(ScheduleState* state, uint32_t now, const Intervals& poll, ScheduleEventKind kind) {
  if (state->busy < 0) return;
  const uint8_t index = static_cast<uint8_t>(state->busy);
  ScheduleRow& row = state->rows[index];
  state->busy = -1;
  state->next = static_cast<uint8_t>((index + 1) % state->count);
  if (kind == ScheduleEventKind::TryMirror && !row.mirror) {
    row.mirror = true;
    row.due_ms = now;
    state->next = index;
    return;
  }
  if (kind == ScheduleEventKind::Cancelled) {
    row.due_ms = now + kCancelledMs;
    return;
  }
  row.mirror = row.held = false;
  if (kind == ScheduleEventKind::Succeeded) {
    row.failures = 0;
  } else if (row.failures <= kRetrySteps) {
    row.failures++;
  }
  row.due_ms = now + retry_delay(row.failures, poll.of(index));
}

}  // namespace

ScheduleState schedule_start() {
  ScheduleState state{};
  state.busy = -1;
  return state;
}

ScheduleAction schedule_step(ScheduleState* state, uint32_t now_ms, const Intervals& poll, ScheduleEvent event) {
  if (event.kind == ScheduleEventKind::Refresh) {
    reset_rows(state, now_ms, event.rows);
  } else if (event.kind != ScheduleEventKind::Tick) {
    finish(state, now_ms, poll, event.kind);
  }
  ScheduleAction action{ScheduleAction::Wait, 0, false, poll.common_ms};
  // A row is requested in the step after another one finished, because each step makes at most one network request.
  const bool may_fetch =
      state->busy < 0 && (event.kind == ScheduleEventKind::Tick || event.kind == ScheduleEventKind::Refresh);
  for (uint8_t i = 0; i < state->count; i++) {
    const uint8_t index = static_cast<uint8_t>((state->next + i) % state->count);
    ScheduleRow& row = state->rows[index];
    const uint32_t poll_ms = poll.of(index);
    const uint32_t most = row.held && poll_ms < kMostHoldMs ? kMostHoldMs : poll_ms;
    if (left(row.due_ms, now_ms) > static_cast<int32_t>(most)) row.due_ms = now_ms + most;
    const int32_t wait = left(row.due_ms, now_ms);
    if (wait <= 0 && may_fetch && action.kind == ScheduleAction::Wait) {
      state->busy = static_cast<int8_t>(index);
      action = ScheduleAction{ScheduleAction::Fetch, index, row.mirror, 0};
    }
    if (action.kind == ScheduleAction::Wait) {
      const uint32_t ms = wait <= 0 ? 0 : static_cast<uint32_t>(wait);
      if (ms < action.wait_ms) action.wait_ms = ms;
    }
  }
  return action;
}

void schedule_hold(ScheduleState* state, uint32_t now_ms, uint8_t row, uint32_t wait_ms) {
  if (wait_ms < kLeastHoldMs) wait_ms = kLeastHoldMs;
  if (wait_ms > kMostHoldMs) wait_ms = kMostHoldMs;
  ScheduleRow& held = state->rows[row];
  if (left(held.due_ms, now_ms) >= static_cast<int32_t>(wait_ms)) return;
  held.due_ms = now_ms + wait_ms;
  held.held = true;
}

uint32_t schedule_wait(const ScheduleState& state, uint8_t row, uint32_t now_ms) {
  const int32_t wait = left(state.rows[row].due_ms, now_ms);
  return wait > 0 ? static_cast<uint32_t>(wait) : 0;
}

}  // namespace hearth

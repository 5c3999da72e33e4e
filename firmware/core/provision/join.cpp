#include "provision/join.h"

#include <string.h>

namespace hearth {
namespace {

JoinAction attempt(JoinState* state, uint8_t at, uint32_t now) {
  state->phase = JoinPhase::Joining;
  state->at = at;
  state->since_ms = now;
  return JoinAction::Join;
}

bool listed(const JoinState& state, uint8_t network) {
  for (uint8_t i = 0; i < state.count; i++) {
    if (state.order[i] == network) return true;
  }
  return false;
}

}  // namespace

JoinState join_start(const Settings& settings, const WifiSeen* seen, uint8_t seen_count, uint32_t now_ms) {
  JoinState state{};
  state.since_ms = now_ms;
  for (uint8_t i = 0; i < seen_count; i++) {
    for (uint8_t k = 0; k < settings.network_count; k++) {
      if (strcmp(seen[i].ssid, settings.networks[k].ssid) == 0 && !listed(state, k)) state.order[state.count++] = k;
    }
  }
  state.seen = state.count;
  for (uint8_t k = 0; k < settings.network_count; k++) {
    if (!listed(state, k)) state.order[state.count++] = k;
  }
  return state;
}

void join_open_setup(JoinState* state, uint32_t now_ms) {
  state->phase = JoinPhase::Setup;
  state->lost = false;
  state->since_ms = now_ms;
}

JoinAction join_step(JoinState* state, WifiState wifi, uint32_t now_ms, bool setup_used) {
  const uint32_t waited = now_ms - state->since_ms;
  switch (state->phase) {
    case JoinPhase::Idle:
      if (state->count > 0) return attempt(state, 0, now_ms);
      state->phase = JoinPhase::Setup;
      return JoinAction::OpenSetup;
    case JoinPhase::Joining: {
      if (wifi == WifiState::Joined) {
        state->phase = JoinPhase::Joined;
        state->lost = false;
        return JoinAction::Nothing;
      }
      const bool patient = state->count == 1 || state->at < state->seen || state->again;
      if (wifi != WifiState::Refused && waited < (patient ? kJoinMs : kJoinUnseenMs)) return JoinAction::Nothing;
      if (state->at + 1 < state->count) return attempt(state, static_cast<uint8_t>(state->at + 1), now_ms);
      if (state->lost && now_ms - state->round_ms < kLostTurnMs) return attempt(state, 0, now_ms);
      state->phase = JoinPhase::Setup;
      state->since_ms = now_ms;
      return JoinAction::OpenSetup;
    }
    case JoinPhase::Joined:
      if (wifi == WifiState::Joined) return JoinAction::Nothing;
      state->phase = JoinPhase::Dropped;
      state->since_ms = state->round_ms = state->attempt_ms = now_ms;
      return JoinAction::Join;
    case JoinPhase::Dropped:
      if (wifi == WifiState::Joined) {
        state->phase = JoinPhase::Joined;
        return JoinAction::Nothing;
      }
      if (now_ms - state->round_ms >= kLostMs) {
        state->phase = JoinPhase::Setup;
        state->lost = true;
        state->since_ms = now_ms;
        return JoinAction::OpenSetup;
      }
      if (waited >= kRotateMs && state->count > 0) {
        state->at = static_cast<uint8_t>((state->at + 1) % state->count);
        state->since_ms = state->attempt_ms = now_ms;
        return JoinAction::Join;
      }
      if (now_ms - state->attempt_ms < kReconnectMs) return JoinAction::Nothing;
      state->attempt_ms = now_ms;
      return JoinAction::Join;
    default:  // Setup
      if (setup_used) state->since_ms = now_ms;
      if (state->count == 0 || setup_used || waited < (state->lost ? kLostTurnMs : kSetupRetryMs))
        return JoinAction::Nothing;
      state->round_ms = now_ms;
      state->again = true;
      return attempt(state, 0, now_ms);
  }
}

}  // namespace hearth

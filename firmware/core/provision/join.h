// Decides which network to join and when. Pure functions: Wi-Fi state in, action out.
#pragma once
#include "port.h"
#include "settings/settings.h"

namespace hearth {

/// A network that was seen, or the only one: on some channels a router listens for radar before it answers.
constexpr uint32_t kJoinMs = 30000;
constexpr uint32_t kJoinUnseenMs = 8000;
constexpr uint32_t kReconnectMs = 30000;    ///< after a drop: the same network again
constexpr uint32_t kRotateMs = 60000;       ///< after a drop: the next network
constexpr uint32_t kSetupRetryMs = 180000;  ///< with the setup network open and unused: the saved ones again
/// A network that stays away for so long may have a new password: from then on, the setup network for a minute and the
/// saved ones for a minute, in turn.
constexpr uint32_t kLostMs = 300000;
constexpr uint32_t kLostTurnMs = 60000;

enum class JoinPhase : uint8_t { Idle, Joining, Joined, Dropped, Setup };

struct JoinState {
  JoinPhase phase;
  uint8_t order[kMaxNetworks];
  uint8_t count;
  uint8_t seen;         ///< how many of `order` were seen in the scan
  uint8_t at;           ///< place in `order`
  bool lost;            ///< was joined before, and stays away
  bool again;           ///< none answered in the first round: each gets its full time from then on
  uint32_t since_ms;    ///< of this attempt or of the rotation
  uint32_t round_ms;    ///< of the drop, or of the first attempt after the setup network
  uint32_t attempt_ms;  ///< last attempt after a drop
};

enum class JoinAction : uint8_t { Nothing, Join, OpenSetup };

/// Starts. If several networks are configured, the caller scans first and passes the result, strongest first.
JoinState join_start(const Settings& settings, const WifiSeen* seen, uint8_t seen_count, uint32_t now_ms);
/// Somebody at the device wants the setup network; unused, it gives way to the saved ones as usual.
void join_open_setup(JoinState* state, uint32_t now_ms);
/// One turn. Join: the network `order[at]`. `setup_used`: a client uses the setup page, so the setup network stays
/// open.
JoinAction join_step(JoinState* state, WifiState wifi, uint32_t now_ms, bool setup_used);

}  // namespace hearth

#include "wifi.h"

#include <stdio.h>

#include <algorithm>

namespace sim {

using hearth::WifiState;

namespace {
constexpr uint64_t kJoinMs = 1500;
constexpr uint64_t kRefuseMs = 3000;
constexpr uint32_t kLoopback = 0x7F000001;  // the actual address of the web page
constexpr uint32_t kAccessPoint = 0xC0A80401;
}  // namespace

const FakeNetwork* FakeWifi::target() const {
  if (faults_.wifi_down) return nullptr;
  for (const FakeNetwork& network : options_.networks) {
    if (network.ssid == ssid_) return &network;
  }
  return nullptr;
}

void FakeWifi::join(const char* ssid, const char* pass, const char*) {
  asked_ = WifiState::Joining;
  ssid_ = ssid;
  pass_ = pass;
  since_ = clock_.total();
}

WifiState FakeWifi::state() {
  if (asked_ != WifiState::Joining && asked_ != WifiState::Joined) return asked_;
  const FakeNetwork* network = target();
  const uint64_t waited = clock_.total() - since_;
  if (asked_ == WifiState::Joined) {
    // A network that disappeared is searched again, as the radio does automatically.
    if (network == nullptr) {
      asked_ = WifiState::Joining;
      since_ = clock_.total();
    }
    return asked_;
  }
  if (network == nullptr || faults_.wifi_hangs) return WifiState::Joining;
  if (faults_.wifi_refuses || network->pass != pass_)
    return waited < kRefuseMs ? WifiState::Joining : WifiState::Refused;
  if (waited >= kJoinMs) asked_ = WifiState::Joined;
  return asked_;
}

void FakeWifi::leave() { asked_ = WifiState::Off; }

void FakeWifi::open_access_point(const char* ssid, const char*) {
  asked_ = WifiState::AccessPoint;
  ssid_ = ssid;
}

uint8_t FakeWifi::scan() {
  return faults_.wifi_down ? 0 : static_cast<uint8_t>(std::min<size_t>(options_.networks.size(), 25));
}

bool FakeWifi::seen(uint8_t index, hearth::WifiSeen* network) {
  if (index >= scan()) return false;
  std::vector<FakeNetwork> sorted = options_.networks;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FakeNetwork& a, const FakeNetwork& b) { return a.rssi > b.rssi; });
  snprintf(network->ssid, sizeof network->ssid, "%s", sorted[index].ssid.c_str());
  network->rssi = sorted[index].rssi;
  network->encrypted = !sorted[index].pass.empty();
  return true;
}

int8_t FakeWifi::rssi() { return joined() && target() != nullptr ? target()->rssi : 0; }

uint32_t FakeWifi::address() {
  return state() == WifiState::Joined ? kLoopback : asked_ == WifiState::AccessPoint ? kAccessPoint : 0;
}

}  // namespace sim

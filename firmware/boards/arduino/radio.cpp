#include "radio.h"

#include <string.h>

#include "platform.h"

namespace board {

using hearth::WifiState;

namespace {
constexpr uint8_t kMostSeen = 25;
constexpr size_t kShortestPass = 8;  // minimum of WPA2
}  // namespace

void Radio::start(const char* hostname) {
  WiFi.persistent(false);  // the networks are stored in the settings
  start_stack(hostname);
  WiFi.setAutoReconnect(true);
  watch_refusals();
}

void Radio::turn() {
  if (asked_ == WifiState::AccessPoint) names_.processNextRequest();
  if (state() == WifiState::Joined) announce();
  turn_mdns();
}

void Radio::join(const char* ssid, const char* pass, const char* hostname) {
  leave();
  strncpy(hostname_, hostname, sizeof hostname_ - 1);
  WiFi.mode(WIFI_STA);
  name_station(hostname_);
  forget_refusals();
  WiFi.begin(ssid, pass[0] == '\0' ? nullptr : pass);
  asked_ = WifiState::Joining;
}

WifiState Radio::state() {
  if (asked_ != WifiState::Joining && asked_ != WifiState::Joined) return asked_;
  const auto status = WiFi.status();
  asked_ = status == WL_CONNECTED ? WifiState::Joined : WifiState::Joining;
  return status == WL_CONNECT_FAILED || was_refused(status) ? WifiState::Refused : asked_;
}

void Radio::leave() {
  if (asked_ == WifiState::AccessPoint) {
    names_.stop();
    WiFi.softAPdisconnect(true);
  } else if (asked_ != WifiState::Off) {
    WiFi.disconnect();
  }
  announced_ = false;
  asked_ = WifiState::Off;
}

void Radio::open_access_point(const char* ssid, const char* pass) {
  leave();
  const IPAddress own(192, 168, 4, 1);
  WiFi.mode(WIFI_AP_STA);  // also allows scanning for networks
  WiFi.softAPConfig(own, own, IPAddress(255, 255, 255, 0));
  WiFi.softAP(ssid, strlen(pass) < kShortestPass ? nullptr : pass);
  names_.start(53, "*", own);
  asked_ = WifiState::AccessPoint;
}

uint8_t Radio::scan() {
  const int found = WiFi.scanNetworks();
  found_ = static_cast<uint8_t>(found < 0 ? 0 : found < kMostSeen ? found : kMostSeen);
  for (uint8_t i = 0; i < found_; ++i) {
    uint8_t at = i;
    for (; at > 0 && WiFi.RSSI(order_[at - 1]) < WiFi.RSSI(i); --at) order_[at] = order_[at - 1];
    order_[at] = i;
  }
  return found_;
}

bool Radio::seen(uint8_t index, hearth::WifiSeen* network) {
  if (index >= found_) return false;
  const uint8_t at = order_[index];
  strncpy(network->ssid, WiFi.SSID(at).c_str(), sizeof network->ssid - 1);
  network->ssid[sizeof network->ssid - 1] = '\0';
  network->rssi = static_cast<int8_t>(WiFi.RSSI(at));
  network->encrypted = WiFi.encryptionType(at) != kOpenNetwork;
  return true;
}

int8_t Radio::rssi() { return state() == WifiState::Joined ? static_cast<int8_t>(WiFi.RSSI()) : 0; }

uint32_t Radio::address() {
  const IPAddress own = asked_ == WifiState::AccessPoint ? WiFi.softAPIP() : WiFi.localIP();
  return static_cast<uint32_t>(own[0]) << 24 | static_cast<uint32_t>(own[1]) << 16 |
         static_cast<uint32_t>(own[2]) << 8 | own[3];
}

void Radio::announce() {
  if (announced_) return;
  announced_ = true;
  if (MDNS.begin(hostname_)) MDNS.addService("http", "tcp", 80);
}

}  // namespace board

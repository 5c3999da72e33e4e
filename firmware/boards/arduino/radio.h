// Wi-Fi, the setup network's name server, and the device's name in the local network.
#pragma once
#include <DNSServer.h>

#include "port.h"

namespace board {

class Radio final : public hearth::Wifi {
 public:
  /// Brings the network stack up, which the web server needs.
  void start(const char* hostname);
  /// Answers DNS requests; call it once per turn.
  void turn();
  void join(const char* ssid, const char* pass, const char* hostname) override;
  hearth::WifiState state() override;
  void leave() override;
  void open_access_point(const char* ssid, const char* pass) override;
  uint8_t scan() override;
  bool seen(uint8_t index, hearth::WifiSeen* network) override;
  int8_t rssi() override;
  uint32_t address() override;

 private:
  void announce();
  DNSServer names_;
  hearth::WifiState asked_ = hearth::WifiState::Off;
  bool announced_ = false;
  char hostname_[33] = "";
  uint8_t found_ = 0;
  uint8_t order_[25] = {};
};

}  // namespace board

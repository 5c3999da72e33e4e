// Simulated networks: joining takes 1.5 seconds, a wrong password three.
#pragma once
#include "clock.h"

namespace sim {

class FakeWifi final : public hearth::Wifi {
 public:
  FakeWifi(const Options& options, const Faults& faults, const Elapsed& clock)
      : options_(options), faults_(faults), clock_(clock) {}
  void join(const char* ssid, const char* pass, const char* hostname) override;
  hearth::WifiState state() override;
  void leave() override;
  void open_access_point(const char* ssid, const char* pass) override;
  uint8_t scan() override;
  bool seen(uint8_t index, hearth::WifiSeen* network) override;
  int8_t rssi() override;
  uint32_t address() override;
  bool joined() { return state() == hearth::WifiState::Joined; }

 private:
  const FakeNetwork* target() const;
  const Options& options_;
  const Faults& faults_;
  const Elapsed& clock_;
  hearth::WifiState asked_ = hearth::WifiState::Off;
  std::string ssid_, pass_;
  uint64_t since_ = 0;
};

}  // namespace sim

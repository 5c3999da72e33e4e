// Command-line options of a simulated device.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "port.h"

namespace sim {

struct FakeNetwork {
  std::string ssid;
  std::string pass;  ///< empty = open
  int8_t rssi = -55;
};

struct Route {
  std::string address;
  uint16_t port = 0;
};

struct Options {
  hearth::Chip chip = hearth::Chip::Esp32;
  std::string chip_name = "esp32";
  std::string state_folder;   ///< files of the device, reused between runs
  double speed = 1;           ///< virtual seconds a second while no request is under way
  int64_t epoch = 0;          ///< virtual time of the start, 0 = the real time
  uint32_t millis_start = 0;  ///< to pass the wrap of 49.7 days
  size_t heap = 0;            ///< bytes that connections and time keeping may take, 0 = the chip's usual
  std::string ca_file = "/etc/ssl/certs/ca-certificates.crt";
  std::map<std::string, Route> routes;  ///< host name → where it really is
  std::vector<FakeNetwork> networks;
  uint16_t web_port = 0;  ///< 0 = any
  uint32_t chip_number = 0xA1B2C3;
  uint32_t seed = 0;  ///< 0 = real chance
  std::string repo_owner = "example";
  std::string repo_name = "quotes";
  std::string version = "0.1.0";
  std::vector<std::vector<uint8_t>> update_keys;  ///< 64 bytes each; none = anybody may make an update
  std::string board;                              ///< tag that updates must carry, "" = sim-<chip>
};

/// Parses the command line. Prints errors on stderr and returns false.
bool read_options(int argc, char** argv, Options* options);

}  // namespace sim

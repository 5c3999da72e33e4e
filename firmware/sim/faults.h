// Switches that inject faults while a device runs; set through the control port (POST /faults?name=value&…).
#pragma once
#include <stdint.h>

#include <string>

namespace sim {

struct Faults {
  bool wifi_down = false;         ///< no network is in reach
  bool wifi_refuses = false;      ///< joining is refused, as with a wrong password
  bool wifi_hangs = false;        ///< joining never completes
  bool net_down = false;          ///< joined, but nothing behind the router replies
  bool dns_down = false;          ///< names are not found
  bool time_down = false;         ///< time servers do not answer
  int64_t time_jump_s = 0;        ///< offset of the time servers
  bool serial_unplugged = false;  ///< bytes of both directions are lost
  int64_t store_cut = -1;         ///< the power goes after so many more written bytes
  bool store_full = false;        ///< writing fails
};

/// "wifi-down=1&time-jump=86400": returns false for an unknown name.
bool set_faults(Faults* faults, const std::string& query);

}  // namespace sim

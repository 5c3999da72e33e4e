#include "faults.h"

#include <stdlib.h>

namespace sim {

bool set_faults(Faults* faults, const std::string& query) {
  struct Switch {
    const char* name;
    bool* value;
  };
  const Switch switches[] = {
      {"wifi-down", &faults->wifi_down},
      {"wifi-refuses", &faults->wifi_refuses},
      {"wifi-hangs", &faults->wifi_hangs},
      {"net-down", &faults->net_down},
      {"dns-down", &faults->dns_down},
      {"time-down", &faults->time_down},
      {"serial-unplugged", &faults->serial_unplugged},
      {"store-full", &faults->store_full},
  };
  for (size_t start = 0; start < query.size();) {
    const size_t end = query.find('&', start) == std::string::npos ? query.size() : query.find('&', start);
    const std::string pair = query.substr(start, end - start);
    const size_t equal = pair.find('=');
    if (equal == std::string::npos) return false;
    const std::string name = pair.substr(0, equal);
    const long long value = atoll(pair.c_str() + equal + 1);
    bool known = true;
    if (name == "time-jump")
      faults->time_jump_s = value;
    else if (name == "store-cut")
      faults->store_cut = value;
    else {
      known = false;
      for (const Switch& one : switches) {
        if (name != one.name) continue;
        *one.value = value != 0;
        known = true;
      }
    }
    if (!known) return false;
    start = end + 1;
  }
  return true;
}

}  // namespace sim

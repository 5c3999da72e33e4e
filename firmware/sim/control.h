// Control port of the simulator: screen, faults, state of heap and clock.
//   GET /screen.png · GET /screen.raw (240 x 240 RGB565, little endian) · GET /screen.stream (the same, again after
//   each change) GET /state (JSON) · POST /faults?wifi-down=1&… · POST /crash (as after a crash)
#pragma once
#include <functional>
#include <vector>

#include "faults.h"
#include "listener.h"
#include "panel.h"

namespace sim {

class Control {
 public:
  Control(const Glass& glass, Faults& faults, std::function<std::string()> state, std::function<void()> crash)
      : glass_(glass), faults_(faults), state_(std::move(state)), crash_(std::move(crash)) {}
  bool start() { return listener_.start(0); }
  void turn();
  uint16_t port() const { return listener_.port(); }
  int handle() const { return listener_.handle(); }

 private:
  struct Open {
    Client client;
    std::string request;
    bool stream = false;
    uint32_t shown = 0;
  };
  /// Returns false when the connection is to be closed.
  bool serve(Open& open);
  bool answer(Open& open);
  std::string raw() const;
  const Glass& glass_;
  Faults& faults_;
  std::function<std::string()> state_;
  std::function<void()> crash_;
  Listener listener_;
  std::vector<Open> open_;
};

}  // namespace sim

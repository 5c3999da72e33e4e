// The device's web page on loopback: one client at a time, as on the chips.
#pragma once
#include <optional>

#include "app/app.h"
#include "listener.h"

namespace sim {

class Web {
 public:
  bool start(uint16_t port) { return listener_.start(port); }
  void turn(hearth::App& app);
  /// Ends the open connection: a restart of the device closes it, and the next start does not know its request.
  void drop(hearth::App& app);
  bool busy() const { return client_.has_value(); }
  uint16_t port() const { return listener_.port(); }
  int handle() const { return client_ ? client_->handle() : listener_.handle(); }

 private:
  Listener listener_;
  std::optional<Client> client_;
};

}  // namespace sim

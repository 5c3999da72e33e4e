// No outgoing connections: the loader has no room for encryption and nothing to fetch.
#pragma once
#include "port.h"

namespace board {

class NoNet final : public hearth::Net {
 public:
  bool open(const hearth::Endpoint&, uint32_t) override { return false; }
  hearth::NetState state() override { return hearth::NetState::Failed; }
  hearth::NetFault fault() override { return hearth::NetFault::Refused; }
  size_t send(const void*, size_t) override { return 0; }
  size_t receive(void*, size_t) override { return 0; }
  void close() override {}
};

}  // namespace board

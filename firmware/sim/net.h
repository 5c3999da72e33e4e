// One outgoing connection over real sockets.
#pragma once
#include "tls.h"
#include "wifi.h"

namespace sim {

class SocketNet final : public hearth::Net {
 public:
  SocketNet(const Options& options, const Faults& faults, FakeWifi& wifi)
      : options_(options), faults_(faults), wifi_(wifi) {}
  bool open(const hearth::Endpoint& endpoint, uint32_t timeout_ms) override;
  hearth::NetState state() override { return state_; }
  hearth::NetFault fault() override { return fault_; }
  size_t send(const void* bytes, size_t size) override;
  size_t receive(void* bytes, size_t capacity) override;
  void close() override;
  bool busy() const { return state_ == hearth::NetState::Connecting || state_ == hearth::NetState::Open; }

 private:
  bool fail(hearth::NetFault fault);
  int connect_to(const hearth::Endpoint& endpoint, int timeout_ms);
  size_t settle(Taken taken);
  void tell(const hearth::Endpoint& endpoint) const;

  const Options& options_;
  const Faults& faults_;
  FakeWifi& wifi_;
  int socket_ = -1;
  std::unique_ptr<Tls> tls_;
  hearth::NetState state_ = hearth::NetState::Idle;
  hearth::NetFault fault_ = hearth::NetFault::None;
};

}  // namespace sim

// One outgoing connection, plain or encrypted, depending on the chip.
#pragma once
#include "platform.h"
#include "port.h"

namespace board {

class ClientNet final : public hearth::Net {
 public:
  bool open(const hearth::Endpoint& endpoint, uint32_t timeout_ms) override;
  hearth::NetState state() override;
  hearth::NetFault fault() override { return fault_; }
  size_t send(const void* bytes, size_t size) override;
  size_t receive(void* bytes, size_t capacity) override;
  void close() override;

 private:
  bool fail(hearth::NetFault fault);
  /// Connects and shakes hands with the chip's TLS library.
  hearth::NetFault connect_secure(SecureClient& client, const hearth::Endpoint& endpoint, const IPAddress& address,
                                  uint32_t timeout_ms);
  SecureClient* secure_ = nullptr;
  PlainClient plain_;
  PlainClient* client_ = nullptr;
  hearth::NetFault fault_ = hearth::NetFault::None;
};

}  // namespace board

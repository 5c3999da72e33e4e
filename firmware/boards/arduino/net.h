// One outgoing connection, plain or encrypted as the chip can.
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
  /// The chip's way of encryption, ready to connect. Null without memory for it.
  SecureClient* secure_client(const hearth::Endpoint& endpoint, uint32_t timeout_ms);
  hearth::NetFault why_not(SecureClient& client);
  SecureClient* secure_ = nullptr;
  PlainClient plain_;
  PlainClient* client_ = nullptr;
  hearth::NetFault fault_ = hearth::NetFault::None;
};

}  // namespace board

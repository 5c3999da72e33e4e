#include "net.h"

namespace board {

using hearth::NetFault;
using hearth::NetState;

bool ClientNet::fail(NetFault fault) {
  close();
  fault_ = fault;
  return false;
}

/// One deadline for all steps; the watchdog is fed between them.
bool ClientNet::open(const hearth::Endpoint& endpoint, uint32_t timeout_ms) {
  close();
  const uint32_t begun = millis();
  IPAddress address;
  const bool found = find_address(endpoint.host, timeout_ms, &address);
  feed_watchdog();
  if (!found) return fail(NetFault::NoAddress);
  const uint32_t used = millis() - begun;
  if (used >= timeout_ms) return fail(NetFault::TooSlow);
  if (endpoint.tls == hearth::TlsProfile::None) {
    client_ = &plain_;
    return connect_plain(plain_, address, endpoint.port, timeout_ms - used) ? true : fail(NetFault::Refused);
  }
  secure_ = new (std::nothrow) SecureClient();
  if (secure_ == nullptr) return fail(NetFault::Tls);
  client_ = secure_;
  const NetFault fault = connect_secure(*secure_, endpoint, address, timeout_ms - used);
  feed_watchdog();
  return fault == NetFault::None ? true : fail(fault);
}

NetState ClientNet::state() {
  if (client_ == nullptr) return fault_ == NetFault::None ? NetState::Idle : NetState::Failed;
  return client_->connected() || client_->available() > 0 ? NetState::Open : NetState::Closed;
}

size_t ClientNet::send(const void* bytes, size_t size) {
  if (client_ == nullptr || size == 0) return 0;
  return client_->write(static_cast<const uint8_t*>(bytes), size);
}

size_t ClientNet::receive(void* bytes, size_t capacity) {
  if (client_ == nullptr || client_->available() <= 0) return 0;
  const int got = client_->read(static_cast<uint8_t*>(bytes), capacity);
  return got > 0 ? static_cast<size_t>(got) : 0;
}

void ClientNet::close() {
  if (client_ != nullptr) client_->stop();
  delete secure_;
  secure_ = nullptr;
  client_ = nullptr;
  fault_ = NetFault::None;
}

}  // namespace board

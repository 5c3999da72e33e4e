#include "net.h"

namespace board {

using hearth::NetFault;
using hearth::NetState;

bool ClientNet::fail(NetFault fault) {
  close();
  fault_ = fault;
  return false;
}

bool ClientNet::open(const hearth::Endpoint& endpoint, uint32_t timeout_ms) {
  close();
  IPAddress address;
  if (WiFi.hostByName(endpoint.host, address) != 1) return fail(NetFault::NoAddress);
  if (endpoint.tls == hearth::TlsProfile::None) {
    plain_.setTimeout(timeout_ms);
    client_ = &plain_;
    return plain_.connect(address, endpoint.port) ? true : fail(NetFault::Refused);
  }
  secure_ = secure_client(endpoint, timeout_ms);
  if (secure_ == nullptr) return fail(NetFault::Tls);
  client_ = secure_;
  return secure_->connect(endpoint.host, endpoint.port) ? true : fail(why_not(*secure_));
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

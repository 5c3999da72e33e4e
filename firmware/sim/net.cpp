#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "heap.h"

namespace sim {

using hearth::NetFault;
using hearth::NetState;
using hearth::TlsProfile;

bool wait_for(int socket, short events, int timeout_ms) {
  pollfd one{socket, events, 0};
  return timeout_ms > 0 && poll(&one, 1, timeout_ms) > 0;
}

bool SocketNet::fail(NetFault fault) {
  tls_.reset();
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  state_ = NetState::Failed;
  fault_ = fault;
  return false;
}

bool SocketNet::open(const hearth::Endpoint& endpoint, uint32_t timeout_ms) {
  close();
  const int timeout = static_cast<int>(timeout_ms);
  if (!wifi_.joined() || faults_.dns_down)
    fail(NetFault::NoAddress);
  else if (faults_.net_down)
    state_ = NetState::Connecting;  // no reply ever
  else {
    state_ = NetState::Open;
    socket_ = connect_to(endpoint, timeout);
    if (socket_ >= 0 && endpoint.tls != TlsProfile::None) {
      tls_ = options_.chip == hearth::Chip::Esp8266 ? make_bearssl() : make_mbedtls(options_.ca_file);
      const NetFault fault = tls_->handshake(socket_, endpoint, timeout);
      if (fault != NetFault::None) fail(fault);
    }
  }
  tell(endpoint);
  return state_ != NetState::Failed;
}

int SocketNet::connect_to(const hearth::Endpoint& endpoint, int timeout_ms) {
  const auto route = options_.routes.find(endpoint.host);
  const std::string host = route != options_.routes.end() ? route->second.address : endpoint.host;
  const std::string port = std::to_string(route != options_.routes.end() ? route->second.port : endpoint.port);
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return fail(NetFault::NoAddress), -1;
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int started = connect(made, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  int error = started == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    socklen_t size = sizeof error;
    if (!wait_for(made, POLLOUT, timeout_ms))
      error = ETIMEDOUT;
    else
      getsockopt(made, SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error == 0) return made;
  ::close(made);
  fail(NetFault::Refused);
  return -1;
}

size_t SocketNet::settle(Taken taken) {
  if (taken.flow == Flow::Ended) state_ = NetState::Closed;
  if (taken.flow == Flow::Broken) fail(NetFault::Broken);
  return taken.size;
}

size_t SocketNet::send(const void* bytes, size_t size) {
  if (state_ != NetState::Open || size == 0) return 0;
  if (tls_) return settle(tls_->send(bytes, size));
  const ssize_t sent = ::send(socket_, bytes, size, MSG_NOSIGNAL);
  if (sent < 0) return settle({errno == EAGAIN ? Flow::Nothing : Flow::Broken, 0});
  return static_cast<size_t>(sent);
}

size_t SocketNet::receive(void* bytes, size_t capacity) {
  if (state_ != NetState::Open || capacity == 0) return 0;
  if (tls_) return settle(tls_->receive(bytes, capacity));
  const ssize_t got = ::recv(socket_, bytes, capacity, 0);
  if (got <= 0) return settle({got == 0 ? Flow::Ended : errno == EAGAIN ? Flow::Nothing : Flow::Broken, 0});
  return static_cast<size_t>(got);
}

void SocketNet::close() {
  tls_.reset();
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  state_ = NetState::Idle;
  fault_ = NetFault::None;
}

void SocketNet::tell(const hearth::Endpoint& endpoint) const {
  static const char* const kProfiles[] = {"none", "static-rsa", "ecdhe"};
  static const char* const kFaults[] = {"", "no address", "refused", "too slow", "tls", "certificate", "broken"};
  printf(
      "{\"connection\":{\"host\":\"%s\",\"port\":%u,\"profile\":\"%s\",\"fault\":\"%s\",\"suite\":\"%s\",\"resumed\":%"
      "s,\"heapPeak\":%zu}}\n",
      endpoint.host, endpoint.port, kProfiles[static_cast<int>(endpoint.tls)], kFaults[static_cast<int>(fault_)],
      tls_ ? tls_->suite().c_str() : "", tls_ && tls_->resumed() ? "true" : "false", heap_peak());
}

}  // namespace sim

#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tls.h"

namespace sim {

namespace {
constexpr int kSlowClientMs = 2000;
constexpr int kBacklog = 16;
}  // namespace

bool Client::write(const void* bytes, size_t size) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(socket_, at, size, MSG_NOSIGNAL);
    if (sent < 0 && (errno != EAGAIN || !wait_for(socket_, POLLOUT, kSlowClientMs))) return false;
    if (sent <= 0) continue;
    at += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

int Client::read(void* bytes, size_t capacity) {
  const ssize_t got = ::recv(socket_, bytes, capacity, 0);
  return got >= 0 ? static_cast<int>(got) : errno == EAGAIN ? -1 : 0;
}

void Client::close() {
  shutdown(socket_, SHUT_WR);
  ::close(socket_);
}

bool Listener::start(uint16_t port) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (bind(socket_, any, size) != 0 || listen(socket_, kBacklog) != 0 || getsockname(socket_, any, &size) != 0)
    return false;
  port_ = ntohs(address.sin_port);
  return true;
}

int Listener::take() { return accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); }

}  // namespace sim

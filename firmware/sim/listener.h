// TCP on loopback: a listener, and a client with blocking writes.
#pragma once
#include <string>

#include "port.h"

namespace sim {

class Client final : public hearth::ByteSink {
 public:
  explicit Client(int socket) : socket_(socket) {}
  bool write(const void* bytes, size_t size) override;
  /// Returns the number of bytes; -1 if none are available now; 0 if the peer closed the connection.
  int read(void* bytes, size_t capacity);
  void close();
  int handle() const { return socket_; }

 private:
  int socket_;
};

class Listener {
 public:
  bool start(uint16_t port);
  /// The next client's socket, -1 = none.
  int take();
  int handle() const { return socket_; }
  uint16_t port() const { return port_; }

 private:
  int socket_ = -1;
  uint16_t port_ = 0;
};

}  // namespace sim

// Encryption of one connection over a non-blocking socket, in the two variants of the chips.
#pragma once
#include <memory>
#include <string>

#include "port.h"

namespace sim {

enum class Flow { Bytes, Nothing, Ended, Broken };

struct Taken {
  Flow flow;
  size_t size;
};

class Tls {
 public:
  virtual ~Tls() = default;
  /// Returns None if it completes within `timeout_ms`.
  virtual hearth::NetFault handshake(int socket, const hearth::Endpoint& endpoint, int timeout_ms) = 0;
  virtual Taken send(const void* bytes, size_t size) = 0;
  virtual Taken receive(void* bytes, size_t capacity) = 0;
  virtual std::string suite() const = 0;
  virtual bool resumed() const = 0;
};

/// ESP32 family: mbedTLS with its usual buffers and list of suites; certificates are verified against `ca_file`.
std::unique_ptr<Tls> make_mbedtls(const std::string& ca_file);

/// ESP8266: BearSSL with the endpoint's buffers, curve P-256 only, and only static-RSA suites unless the profile is
/// Ecdhe, whose one session is resumed. Certificates are not verified: the chip has neither the memory nor,
/// without night mode, the time of day.
std::unique_ptr<Tls> make_bearssl();

/// Waits until the socket can be read or written. Returns false on timeout.
bool wait_for(int socket, short events, int timeout_ms);

}  // namespace sim

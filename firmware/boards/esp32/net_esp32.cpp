// mbedTLS of the system; certificates are verified against the roots that the Arduino core includes. Their dates are
// not checked: the library is built without a clock.
#include "../arduino/net.h"

namespace board {

using hearth::NetFault;

namespace {
constexpr int kSocketFailed = -1;             // no connection, or the handshake took too long (ssl_client.cpp)
constexpr int kCertificateRefused = -0x2700;  // MBEDTLS_ERR_X509_CERT_VERIFY_FAILED
constexpr int kFatalInChain = -0x3000;        // MBEDTLS_ERR_X509_FATAL_ERROR: the root is not in the bundle
constexpr uint32_t kSecond = 1000;
}  // namespace

/// Connecting and the handshake have limits of their own, the latter in whole seconds: each gets half of the time, so
/// that both together stay within it.
NetFault ClientNet::connect_secure(SecureClient& client, const hearth::Endpoint& endpoint, const IPAddress& address,
                                   uint32_t timeout_ms) {
  const uint32_t begun = millis();
  const uint32_t seconds = timeout_ms / 2 > kSecond ? timeout_ms / 2 / kSecond : 1;
  client.useBuiltinCACertBundle();
  client.setConnectionTimeout(seconds * kSecond);
  client.setHandshakeTimeout(seconds);
  if (client.connect(address, endpoint.port, endpoint.host, nullptr, nullptr, nullptr)) return NetFault::None;
  char text[80];
  const int error = client.lastError(text, sizeof text);
  if (error == kCertificateRefused || error == kFatalInChain) return NetFault::Certificate;
  if (error != kSocketFailed && error != 0) return NetFault::Tls;
  return millis() - begun >= seconds * kSecond ? NetFault::TooSlow : NetFault::Refused;
}

}  // namespace board

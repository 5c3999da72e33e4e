// mbedTLS of the system; certificates are verified against the roots that the Arduino core includes.
#include "../arduino/net.h"

extern const uint8_t roots_start[] asm("_binary_x509_crt_bundle_start");
extern const uint8_t roots_end[] asm("_binary_x509_crt_bundle_end");

namespace board {

namespace {
constexpr int kCertificateRefused = -0x2700;  // MBEDTLS_ERR_X509_CERT_VERIFY_FAILED
constexpr int kFatalInChain = -0x3000;        // MBEDTLS_ERR_X509_FATAL_ERROR: the root is not in the bundle
}  // namespace

SecureClient* ClientNet::secure_client(const hearth::Endpoint&, uint32_t timeout_ms) {
  auto* client = new (std::nothrow) SecureClient();
  if (client == nullptr) return nullptr;
  client->setCACertBundle(roots_start, static_cast<size_t>(roots_end - roots_start));
  client->setHandshakeTimeout((timeout_ms + 999) / 1000);
  client->setTimeout(timeout_ms);
  return client;
}

hearth::NetFault ClientNet::why_not(SecureClient& client) {
  char text[80];
  const int error = client.lastError(text, sizeof text);
  if (error == kCertificateRefused || error == kFatalInChain) return hearth::NetFault::Certificate;
  return error == 0 ? hearth::NetFault::Refused : hearth::NetFault::Tls;
}

}  // namespace board

// BearSSL with little memory: the endpoint's small buffers and the cheap static-RSA handshake, except for the portal,
// which accepts only ECDHE (only curve P-256, see platformio.ini) and whose session is resumed. Certificates are not
// verified: the roots would leave too little memory, and without night mode the chip doesn't know the time for checking
// their validity.
#include "../arduino/net.h"

namespace board {

using hearth::NetFault;

namespace {
const uint16_t kStaticRsa[] = {BR_TLS_RSA_WITH_AES_128_GCM_SHA256, BR_TLS_RSA_WITH_AES_256_GCM_SHA384,
                               BR_TLS_RSA_WITH_AES_128_CBC_SHA256, BR_TLS_RSA_WITH_AES_256_CBC_SHA256,
                               BR_TLS_RSA_WITH_AES_128_CBC_SHA,    BR_TLS_RSA_WITH_AES_256_CBC_SHA};
BearSSL::Session portal_session;
}  // namespace

/// The core shakes hands within `connect`, and each of its waits takes at most the time-out.
NetFault ClientNet::connect_secure(SecureClient& client, const hearth::Endpoint& endpoint, const IPAddress&,
                                   uint32_t timeout_ms) {
  client.setInsecure();
  client.setTimeout(timeout_ms);
  client.setBufferSizes(endpoint.receive_buffer, endpoint.send_buffer);
  if (endpoint.tls == hearth::TlsProfile::StaticRsa)
    client.setCiphers(kStaticRsa, sizeof kStaticRsa / sizeof *kStaticRsa);
  else
    client.setSession(&portal_session);
  // By name: the core sends it in the handshake only then. Its name server has just answered and remembers.
  if (client.connect(endpoint.host, endpoint.port)) return NetFault::None;
  return client.getLastSSLError() == 0 ? NetFault::Refused : NetFault::Tls;
}

}  // namespace board

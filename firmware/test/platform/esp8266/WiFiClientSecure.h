#pragma once
#include <ESP8266WiFi.h>
#define BR_TLS_RSA_WITH_AES_128_CBC_SHA 0x002F
#define BR_TLS_RSA_WITH_AES_256_CBC_SHA 0x0035
#define BR_TLS_RSA_WITH_AES_128_CBC_SHA256 0x003C
#define BR_TLS_RSA_WITH_AES_256_CBC_SHA256 0x003D
#define BR_TLS_RSA_WITH_AES_128_GCM_SHA256 0x009C
#define BR_TLS_RSA_WITH_AES_256_GCM_SHA384 0x009D
namespace BearSSL {
class Session {};
class WiFiClientSecure : public WiFiClient {
 public:
  WiFiClientSecure();
  ~WiFiClientSecure();
  int connect(const char* host, uint16_t port) override;
  void setInsecure();
  void setBufferSizes(int receive, int send);
  bool setCiphers(const uint16_t* suites, int count);
  void setSession(Session* session);
  int error = 0;
  /// Of the fake: sizes of the two buffers, and what the connection holds in both heaps.
  int receive_bytes = 16384, send_bytes = 512;
  uint32_t held_first = 0, held_second = 0;
  int getLastSSLError(char* text = nullptr, size_t size = 0);
};
}  // namespace BearSSL

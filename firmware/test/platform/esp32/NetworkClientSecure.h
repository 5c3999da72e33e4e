#pragma once
#include <WiFi.h>
class NetworkClientSecure : public NetworkClient {
 public:
  NetworkClientSecure();
  int connect(const char* host, uint16_t port) override;
  int connect(IPAddress address, uint16_t port, const char* host, const char* root, const char* own, const char* key);
  using NetworkClient::connect;
  void useBuiltinCACertBundle();
  void setHandshakeTimeout(unsigned long seconds);
  int error = 0;
  int handshake_ms = 120000;
  int lastError(char* text, const size_t size);
};

#pragma once
#include <WiFi.h>
class NetworkClientSecure : public NetworkClient {
 public:
  NetworkClientSecure();
  int connect(const char* host, uint16_t port) override;
  void setCACertBundle(const uint8_t* bundle, size_t size);
  void setHandshakeTimeout(unsigned long seconds);
  int lastError(char* text, const size_t size);
};

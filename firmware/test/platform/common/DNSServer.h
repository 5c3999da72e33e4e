#pragma once
#include <Arduino.h>
class DNSServer {
 public:
  bool start(uint16_t port, const String& name, const IPAddress& address);
  bool start(uint16_t port, const char* name, const IPAddress& address);
  void processNextRequest();
  void stop();
};

#pragma once
#include <Arduino.h>
class Client : public Stream {
 public:
  virtual int connect(IPAddress address, uint16_t port) = 0;
  virtual int connect(const char* host, uint16_t port) = 0;
  virtual size_t write(const uint8_t* bytes, size_t size) = 0;
  virtual int read(uint8_t* bytes, size_t size) = 0;
  virtual uint8_t connected() = 0;
  virtual operator bool() = 0;
};
class MdnsResponder {
 public:
  bool begin(const char* name);
  bool addService(const char* service, const char* protocol, uint16_t port);
#if defined(ESP8266)
  bool update();
#endif
};
extern MdnsResponder MDNS;

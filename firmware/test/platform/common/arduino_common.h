// Declarations that both Arduino cores share.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <new>

#define HIGH 0x1
#define LOW 0x0
#define PI 3.1415926535897932384626433832795
#define bit(b) (1UL << (b))
#define lowByte(w) ((uint8_t)((w)&0xff))
#define highByte(w) ((uint8_t)((w) >> 8))
#define bitRead(value, bit) (((value) >> (bit)) & 0x01)
#define B1 1
#define B101 5

extern "C" {
void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t value);
unsigned long millis(void);
void delay(unsigned long ms);
void yield(void);
}
void configTime(int zone, int daylight, const char* first, const char* second = nullptr, const char* third = nullptr);

class String {
 public:
  const char* c_str() const;
  char text[36] = "";
};

class IPAddress {
 public:
  IPAddress();
  IPAddress(uint8_t a, uint8_t b, uint8_t c, uint8_t d);
  uint8_t operator[](int index) const;
  uint8_t bytes[4] = {};
};

class Stream {
 public:
  virtual int available() = 0;
  virtual int read() = 0;
  void setTimeout(unsigned long ms);
  unsigned long stream_timeout_ms = 1000;
};

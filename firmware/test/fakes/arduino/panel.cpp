// Pins, the panel's bus, the light sensor and the serial line.
#include <SPI.h>
#include <stdio.h>

#include "platform.h"
#include "world.h"

namespace {
constexpr uint32_t kLightPauseMs =
    50;  // reading A0 more often takes an ESP8266 off its network (esp8266/Arduino #1634)
}

extern "C" {
void pinMode(uint8_t, uint8_t) {}
void digitalWrite(uint8_t, uint8_t) {}
#if defined(ESP8266)
void analogWriteRange(uint32_t) {}
void analogWrite(uint8_t, int) {}
int analogRead(uint8_t) {
#else
bool ledcAttach(uint8_t, uint32_t, uint8_t) { return true; }
bool ledcWrite(uint8_t, uint32_t) { return true; }
uint16_t touchRead(uint8_t pin) {
  if (pin != 32) fake::crash("touchRead of a pin without a pad");
  return fake::finger ? 12 : 68;
}
uint16_t analogRead(uint8_t) {
#endif
  static uint64_t last_ms = 0;
  if (last_ms != 0 && fake::now_ms() - last_ms < kLightPauseMs) fake::crash("analogRead more often than every 50 ms");
  last_ms = fake::now_ms();
  fake::kept().light_readings++;
  return static_cast<uint16_t>(fake::light * 1023 / 100);
}
}

SPIClass SPI;
SPISettings::SPISettings(uint32_t, uint8_t, uint8_t) {}
#if defined(ESP8266)
void SPIClass::begin() {}
#else
bool SPIClass::begin(int8_t, int8_t, int8_t, int8_t) { return true; }
#endif
void SPIClass::writeBytes(const uint8_t*, uint32_t) {}
void SPIClass::beginTransaction(SPISettings) {}
void SPIClass::endTransaction() {}
uint8_t SPIClass::transfer(uint8_t byte) { return byte; }

HardwareSerial Serial;
size_t HardwareSerial::setRxBufferSize(size_t size) { return size; }
void HardwareSerial::begin(unsigned long) {}
int HardwareSerial::available() { return static_cast<int>(fake::cable.size()); }
int HardwareSerial::read() {
  if (fake::cable.empty()) return -1;
  const uint8_t byte = static_cast<uint8_t>(fake::cable[0]);
  fake::cable.erase(0, 1);
  return byte;
}
size_t HardwareSerial::write(const uint8_t*, size_t size) { return size; }

IPAddress::IPAddress() {}
IPAddress::IPAddress(uint8_t a, uint8_t b, uint8_t c, uint8_t d) : bytes{a, b, c, d} {}
uint8_t IPAddress::operator[](int index) const { return bytes[index]; }
const char* String::c_str() const { return text; }

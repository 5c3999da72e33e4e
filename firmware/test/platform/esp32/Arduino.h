#pragma once
#include "arduino_common.h"
#define OUTPUT 0x03
#define RTC_NOINIT_ATTR __attribute__((section("rtc_noinit")))
static const uint8_t A0 = 36;
extern "C" {
bool ledcAttach(uint8_t pin, uint32_t frequency, uint8_t bits);
bool ledcWrite(uint8_t pin, uint32_t duty);
uint16_t analogRead(uint8_t pin);
uint16_t touchRead(uint8_t pin);
uint32_t esp_random(void);
unsigned uxTaskGetStackHighWaterMark(void* task);
}
class EspClass {
 public:
  uint32_t getFreeHeap();
  uint32_t getMaxAllocHeap();
  void restart();
};
extern EspClass ESP;
class HardwareSerial : public Stream {
 public:
  size_t setRxBufferSize(size_t size);
  void begin(unsigned long baud);
  int available() override;
  int read() override;
  size_t write(const uint8_t* bytes, size_t size);
};
extern HardwareSerial Serial;

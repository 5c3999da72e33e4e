#pragma once
#include "arduino_common.h"
#define OUTPUT 0x01
static const uint8_t A0 = 17;
static const uint8_t D1 = 5;
extern "C" {
void analogWriteRange(uint32_t range);
void analogWrite(uint8_t pin, int value);
int analogRead(uint8_t pin);
}
enum rst_reason {
  REASON_DEFAULT_RST,
  REASON_WDT_RST,
  REASON_EXCEPTION_RST,
  REASON_SOFT_WDT_RST,
  REASON_SOFT_RESTART,
  REASON_DEEP_SLEEP_AWAKE,
  REASON_EXT_SYS_RST
};
struct rst_info {
  uint32_t reason;
};
class EspClass {
 public:
  uint32_t getChipId();
  void wdtFeed();
  uint32_t getFreeHeap();
  uint32_t getMaxFreeBlockSize();
  uint32_t getFreeContStack();
  struct rst_info* getResetInfoPtr();
  void restart();
  bool rtcUserMemoryRead(uint32_t word, uint32_t* data, size_t size);
  bool rtcUserMemoryWrite(uint32_t word, uint32_t* data, size_t size);
  uint32_t random();
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

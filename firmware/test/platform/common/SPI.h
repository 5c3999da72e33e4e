#pragma once
#include <Arduino.h>
#define MSBFIRST 1
#define SPI_MODE3 3
class SPISettings {
 public:
  SPISettings(uint32_t clock, uint8_t order, uint8_t mode);
};
class SPIClass {
 public:
#if defined(ESP8266)
  void begin();
  void writeBytes(const uint8_t* bytes, uint32_t size);
#else
  bool begin(int8_t clock = -1, int8_t in = -1, int8_t out = -1, int8_t select = -1);
  void writeBytes(const uint8_t* bytes, uint32_t size);
#endif
  void beginTransaction(SPISettings settings);
  void endTransaction();
  uint8_t transfer(uint8_t byte);
};
extern SPIClass SPI;

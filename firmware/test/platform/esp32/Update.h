#pragma once
#include <Arduino.h>
#define U_FLASH 0
class UpdateClass {
 public:
  bool begin(size_t size, int command = U_FLASH, int led = -1, uint8_t on = LOW, const char* label = nullptr);
  size_t write(uint8_t* bytes, size_t size);
  bool end(bool even_if_remaining = false);
  void abort();
};
extern UpdateClass Update;

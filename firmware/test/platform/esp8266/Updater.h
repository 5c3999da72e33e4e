#pragma once
#include <Arduino.h>
#define U_FLASH 0
class UpdaterClass {
 public:
  bool begin(size_t size, int command = U_FLASH, int led = -1, uint8_t on = LOW);
  size_t write(uint8_t* bytes, size_t size);
  bool end(bool even_if_remaining = false);
};
extern UpdaterClass Update;

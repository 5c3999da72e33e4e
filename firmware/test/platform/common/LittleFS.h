#pragma once
#include <Arduino.h>
class File {
 public:
  size_t read(uint8_t* bytes, size_t size);
  size_t write(const uint8_t* bytes, size_t size);
  void flush();
  void close();
  operator bool() const;
  int handle = -1;
  size_t at = 0;
  bool writes = false;
};
class LittleFileSystem {
 public:
#if defined(ESP8266)
  bool begin();
#else
  bool begin(bool format_on_fail = false, const char* base = "/littlefs", uint8_t files = 10,
             const char* label = "spiffs");
#endif
  bool exists(const char* path);
  File open(const char* path, const char* mode);
  bool rename(const char* from, const char* to);
  bool remove(const char* path);
};
extern LittleFileSystem LittleFS;

// Files in LittleFS, whose rename replaces the old file atomically.
#pragma once
#include <LittleFS.h>

#include "port.h"

namespace board {

class FlashStore final : public hearth::Store {
 public:
  bool start();
  bool open(const char* name) override;
  size_t read(void* bytes, size_t capacity) override;
  void close() override;
  bool create(const char* name) override;
  bool write(const void* bytes, size_t size) override;
  bool commit() override;
  void abandon() override;
  bool remove(const char* name) override;

 private:
  bool name_paths(const char* name);
  File file_;
  char path_[40] = "";
  char new_path_[44] = "";
  bool whole_ = false;
};

}  // namespace board

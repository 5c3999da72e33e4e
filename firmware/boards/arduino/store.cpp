#include "store.h"

#include <stdio.h>

namespace board {

bool FlashStore::start() {
#if defined(ESP8266)
  return LittleFS.begin();  // formats an empty file system automatically
#else
  return LittleFS.begin(true);
#endif
}

bool FlashStore::name_paths(const char* name) {
  const int size = snprintf(path_, sizeof path_, "/%s", name);
  snprintf(new_path_, sizeof new_path_, "%s.new", path_);
  return size > 0 && size < static_cast<int>(sizeof path_);
}

bool FlashStore::open(const char* name) {
  close();
  if (!name_paths(name) || !LittleFS.exists(path_)) return false;
  file_ = LittleFS.open(path_, "r");
  return static_cast<bool>(file_);
}

size_t FlashStore::read(void* bytes, size_t capacity) {
  const int got = file_ ? file_.read(static_cast<uint8_t*>(bytes), capacity) : 0;
  return got > 0 ? static_cast<size_t>(got) : 0;
}

void FlashStore::close() {
  if (file_) file_.close();
  whole_ = false;
}

bool FlashStore::create(const char* name) {
  close();
  if (!name_paths(name)) return false;
  file_ = LittleFS.open(new_path_, "w");
  whole_ = static_cast<bool>(file_);
  return whole_;
}

bool FlashStore::write(const void* bytes, size_t size) {
  whole_ = whole_ && file_.write(static_cast<const uint8_t*>(bytes), size) == size;
  return whole_;
}

bool FlashStore::commit() {
  const bool whole = whole_;
  if (file_) file_.flush();
  close();
  return whole && LittleFS.rename(new_path_, path_);
}

void FlashStore::abandon() {
  close();
  LittleFS.remove(new_path_);
}

bool FlashStore::remove(const char* name) { return name_paths(name) && LittleFS.remove(path_); }

}  // namespace board

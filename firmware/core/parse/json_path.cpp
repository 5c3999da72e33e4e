#include <string.h>

#include "parse/json.h"
#include "rom.h"

namespace hearth {

void JsonPath::start() { *this = JsonPath(); }

void JsonPath::set_part(const char* text) {
  const size_t begin = starts_[depth_];
  const size_t size = strlen(text);
  const bool dot = begin != 0;
  too_long_ = begin + (dot ? 1 : 0) + size + 1 > kBytes;
  if (too_long_) {
    path_[begin] = 0;
    return;
  }
  if (dot) path_[begin] = '.';
  memcpy(path_ + begin + (dot ? 1 : 0), text, size + 1);
}

void JsonPath::set_index(uint16_t index) {
  char digits[6];
  uint8_t at = sizeof digits - 1;
  digits[at] = 0;
  do {
    digits[--at] = static_cast<char>('0' + index % 10);
    index = static_cast<uint16_t>(index / 10);
  } while (index != 0);
  set_part(digits + at);
}

void JsonPath::update(JsonEvent event, const char* text) {
  closing_ = event == JsonEvent::EndObject || event == JsonEvent::EndArray;
  if (event == JsonEvent::Key) {
    set_part(text);
    return;
  }
  if (closing_) {
    depth_--;
    return;
  }
  if (event == JsonEvent::NeedMore || event == JsonEvent::End || event == JsonEvent::Error) return;
  const bool in_array = depth_ > 0 && (arrays_ >> (depth_ - 1) & 1) != 0;
  if (in_array) {
    set_index(index_[depth_]);
    if (index_[depth_] < 0xffff) index_[depth_]++;
  }
  if (event != JsonEvent::BeginObject && event != JsonEvent::BeginArray) return;
  const uint16_t bit = static_cast<uint16_t>(1u << depth_);
  arrays_ = static_cast<uint16_t>(event == JsonEvent::BeginArray ? arrays_ | bit : arrays_ & ~bit);
  const size_t begin = starts_[depth_];
  depth_++;
  starts_[depth_] = static_cast<uint8_t>(begin + strlen(path_ + begin));
  index_[depth_] = 0;
}

bool JsonPath::begins(const char* text) const {
  for (const char* at = path_; text_byte(text) != 0; text++) {
    if (*at++ != text_byte(text)) return false;
  }
  return !closing_ && !too_long_;
}

bool JsonPath::is(const char* pattern) const {
  if (closing_ || too_long_) return false;
  const char* at = path_;
  for (char wanted = text_byte(pattern); wanted != 0; wanted = text_byte(pattern)) {
    if (wanted == '*') {
      if (*at == 0 || *at == '.') return false;
      while (*at != 0 && *at != '.') at++;
      pattern++;
    } else {
      if (wanted != *at++) return false;
      pattern++;
    }
  }
  return *at == 0;
}

}  // namespace hearth

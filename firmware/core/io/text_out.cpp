#include "io/text_out.h"

#include <string.h>

#include "rom.h"

namespace hearth {
namespace {

char hex_digit(uint32_t value, char ten) {
  return static_cast<char>(value < 10 ? '0' + value : static_cast<uint32_t>(ten) + value - 10);
}

bool unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

}  // namespace

bool TextOut::flush() {
  if (used_ > 0 && good_) good_ = sink_.write(buffer_, used_);
  used_ = 0;
  return good_;
}

TextOut& TextOut::character(char c) {
  if (used_ == sizeof buffer_) flush();
  buffer_[used_++] = c;
  return *this;
}

TextOut& TextOut::bytes(const void* bytes, size_t size) {
  const char* from = static_cast<const char*>(bytes);
  for (size_t i = 0; i < size; i++) character(from[i]);
  return *this;
}

TextOut& TextOut::text(const char* text) {
  for (char c = text_byte(text); c != 0; c = text_byte(++text)) character(c);
  return *this;
}

TextOut& TextOut::number(int64_t value) {
  char digits[20];
  uint8_t at = sizeof digits;
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  do {
    digits[--at] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) character('-');
  return bytes(digits + at, sizeof digits - at);
}

TextOut& TextOut::two(uint8_t value) {
  return character(static_cast<char>('0' + value / 10 % 10)).character(static_cast<char>('0' + value % 10));
}

TextOut& TextOut::hex(uint32_t value, uint8_t digits) {
  while (digits-- > 0) character(hex_digit(value >> (4 * digits) & 15, 'a'));
  return *this;
}

TextOut& TextOut::percent(const char* text) {
  for (char c = text_byte(text); c != 0; c = text_byte(++text)) {
    if (unreserved(c)) {
      character(c);
    } else {
      const uint8_t byte = static_cast<uint8_t>(c);
      character('%').character(hex_digit(byte >> 4u, 'A')).character(hex_digit(byte & 15u, 'A'));
    }
  }
  return *this;
}

TextOut& TextOut::quoted(const char* text) {
  character('"');
  for (char c = text_byte(text); c != 0; c = text_byte(++text)) {
    const uint8_t byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') {
      character('\\').character(c);
    } else if (byte < 0x20) {
      this->text("\\u").hex(byte, 4);
    } else {
      character(c);
    }
  }
  return character('"');
}

TextOut& TextOut::decimal(Decimal value) {
  value = reduced(value);
  if (value.exponent > 9) return number(value.mantissa).character('e').number(value.exponent);
  if (value.exponent >= 0) {
    number(value.mantissa);
    for (int i = 0; i < value.exponent; i++) character('0');
    return *this;
  }
  char digits[20];
  int count = 0;
  uint64_t rest = static_cast<uint64_t>(value.mantissa < 0 ? -value.mantissa : value.mantissa);
  for (; rest != 0; rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
  if (value.mantissa < 0) character('-');
  if (count <= -value.exponent) character('0');
  for (int i = count - 1; i >= -value.exponent; i--) character(digits[i]);
  character('.');
  for (int i = -value.exponent - 1; i >= 0; i--) character(i < count ? digits[i] : '0');
  return *this;
}

void JsonOut::key(const char* key) {
  if (comma_) out_.character(',');
  comma_ = true;
  if (key != nullptr) out_.quoted(key).character(':');
}

JsonOut& JsonOut::begin_object(const char* name) {
  key(name);
  out_.character('{');
  comma_ = false;
  return *this;
}

JsonOut& JsonOut::end_object() {
  out_.character('}');
  comma_ = true;
  return *this;
}

JsonOut& JsonOut::begin_array(const char* name) {
  key(name);
  out_.character('[');
  comma_ = false;
  return *this;
}

JsonOut& JsonOut::end_array() {
  out_.character(']');
  comma_ = true;
  return *this;
}

JsonOut& JsonOut::text(const char* name, const char* value) {
  key(name);
  out_.quoted(value);
  return *this;
}

JsonOut& JsonOut::number(const char* name, int64_t value) {
  key(name);
  out_.number(value);
  return *this;
}

JsonOut& JsonOut::decimal(const char* name, Decimal value) {
  key(name);
  out_.decimal(value);
  return *this;
}

JsonOut& JsonOut::flag(const char* name, bool value) {
  key(name);
  out_.text(value ? "true" : "false");
  return *this;
}

bool BufferSink::write(const void* bytes, size_t size) {
  if (size_ + size + 1 > capacity_) {
    full_ = true;
    return false;
  }
  memcpy(buffer_ + size_, bytes, size);
  size_ += size;
  buffer_[size_] = 0;
  return true;
}

}  // namespace hearth

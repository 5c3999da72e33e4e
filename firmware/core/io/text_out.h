// Writes text to a sink in small pieces (requests, JSON replies, pages), without a buffer for the complete text.
#pragma once
#include "port.h"
#include "quote/decimal.h"

namespace hearth {

class TextOut {
 public:
  explicit TextOut(ByteSink& sink) : sink_(sink) {}
  ~TextOut() { flush(); }
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;
  TextOut& text(const char* text);
  TextOut& bytes(const void* bytes, size_t size);
  TextOut& character(char c);
  TextOut& number(int64_t value);
  /// Two digits, for times.
  TextOut& two(uint8_t value);
  TextOut& hex(uint32_t value, uint8_t digits);
  /// Percent-encodes all bytes except the unreserved ones of RFC 3986 (letters, digits, - . _ ~).
  TextOut& percent(const char* text);
  /// A JSON string with its quotes.
  TextOut& quoted(const char* text);
  /// A JSON number, without an exponent if 30 characters are enough.
  TextOut& decimal(Decimal value);
  bool flush();
  /// False once the sink has refused.
  bool good() const { return good_; }

 private:
  ByteSink& sink_;
  bool good_ = true;
  uint8_t used_ = 0;
  char buffer_[64];
};

/// Writes JSON objects and inserts the commas.
class JsonOut {
 public:
  explicit JsonOut(TextOut& out) : out_(out) {}
  JsonOut& begin_object(const char* key = nullptr);
  JsonOut& end_object();
  JsonOut& begin_array(const char* key = nullptr);
  JsonOut& end_array();
  JsonOut& text(const char* key, const char* value);
  JsonOut& number(const char* key, int64_t value);
  JsonOut& decimal(const char* key, Decimal value);
  JsonOut& flag(const char* key, bool value);

 private:
  void key(const char* key);
  TextOut& out_;
  bool comma_ = false;
};

/// Only counts the bytes of a text.
class CountingSink : public ByteSink {
 public:
  bool write(const void*, size_t size) override {
    count += size;
    return true;
  }
  size_t count = 0;
};

/// Fills a fixed buffer and ends it with NUL; `full` if something did not fit.
class BufferSink : public ByteSink {
 public:
  BufferSink(char* buffer, size_t capacity) : buffer_(buffer), capacity_(capacity) { buffer_[0] = 0; }
  bool write(const void* bytes, size_t size) override;
  size_t size() const { return size_; }
  bool full() const { return full_; }

 private:
  char* buffer_;
  size_t capacity_;
  size_t size_ = 0;
  bool full_ = false;
};

}  // namespace hearth

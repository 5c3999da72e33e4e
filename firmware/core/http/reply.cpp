#include "http/reply.h"

#include <string.h>

#include "clock/civil.h"
#include "http/ascii.h"
#include "rom.h"

namespace hearth {
namespace {

constexpr uint32_t kMaxLength = 0x7fffffff;
bool has_body(uint16_t status) { return status != 204 && status != 304 && status >= 200; }

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7) in seconds since 1970; 0 for anything else.
int64_t parse_date(const char* text, size_t size) {
  constexpr size_t kSize = 29;
  static const char kMonths[] = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (size != kSize) return 0;
  uint8_t month = 0;
  for (; month < 12; month++) {
    char name[4] = {text_byte(kMonths + 3 * month), text_byte(kMonths + 3 * month + 1),
                    text_byte(kMonths + 3 * month + 2), 0};
    if (equal_fold(text + 8, 3, name)) break;
  }
  uint32_t day = 0, year = 0, hour = 0, minute = 0, second = 0;
  if (month == 12 || !parse_uint(text + 5, 2, 31, &day) || !parse_uint(text + 12, 4, 9999, &year) ||
      !parse_uint(text + 17, 2, 23, &hour) || !parse_uint(text + 20, 2, 59, &minute) ||
      !parse_uint(text + 23, 2, 60, &second))
    return 0;
  const int64_t days =
      days_from_civil(static_cast<int32_t>(year), static_cast<uint8_t>(month + 1), static_cast<uint8_t>(day));
  return days * 86400 + hour * 3600 + minute * 60 + second;
}

}  // namespace

void HttpReply::start(uint32_t body_limit, char* location, size_t location_bytes) {
  *this = HttpReply();
  state_ = State::Status;
  header_left_ = kHeaderLimit;
  body_left_ = body_limit;
  location_ = location;
  location_bytes_ = location_bytes;
}

bool HttpReply::length(uint32_t* bytes) const {
  if (has_length_ && !chunked_) *bytes = length_;
  return has_length_ && !chunked_;
}

HttpProgress HttpReply::feed(const uint8_t* bytes, size_t size, ByteSink* body) {
  while (size > 0 && result_ == HttpProgress::More) {
    if (state_ == State::Body || state_ == State::ChunkData) {
      size_t part = size;
      if ((state_ == State::ChunkData || has_length_) && part > part_left_) part = part_left_;
      result_ = take(bytes, part, body);
      bytes += part;
      size -= part;
      continue;
    }
    const char c = static_cast<char>(*bytes++);
    size--;
    if (header_left_ == 0) return result_ = HttpProgress::TooLarge;
    if (state_ != State::ChunkSize && state_ != State::ChunkEnd) header_left_--;
    if (c == '\n') {
      if (line_size_ > 0 && line_[line_size_ - 1] == '\r') line_size_--;
      if (in_location_ && location_size_ > 0 && location_[location_size_ - 1] == '\r')
        location_[location_size_ - 1] = 0;
      result_ = line();
      line_size_ = 0;
      cut_ = false;
      in_location_ = false;
    } else if (in_location_) {
      if (location_size_ == 0 && (c == ' ' || c == '\t')) continue;
      if (location_size_ + 1 < location_bytes_) {
        location_[location_size_++] = c;
        location_[location_size_] = 0;
      } else {
        location_[0] = 0;  // a truncated target would be a different one
        location_bytes_ = 0;
      }
    } else if (line_size_ < kLineBytes) {
      line_[line_size_++] = c;
      if (c == ':' && state_ == State::Header && redirects() && location_bytes_ > 0 &&
          equal_fold(line_, line_size_, "location:")) {
        in_location_ = true;
        location_size_ = 0;
      }
    } else if (state_ == State::ChunkSize || state_ == State::ChunkEnd) {
      return result_ = HttpProgress::Malformed;
    } else {
      cut_ = true;
    }
  }
  return result_;
}

HttpProgress HttpReply::take(const uint8_t* bytes, size_t size, ByteSink* body) {
  if (size > body_left_) return HttpProgress::TooLarge;
  body_left_ -= static_cast<uint32_t>(size);
  if (body != nullptr && !body->write(bytes, size)) return HttpProgress::Stopped;
  if (state_ == State::Body && !has_length_) return HttpProgress::More;
  part_left_ -= static_cast<uint32_t>(size);
  if (part_left_ > 0) return HttpProgress::More;
  if (state_ == State::ChunkData) {
    state_ = State::ChunkEnd;
    return HttpProgress::More;
  }
  state_ = State::Done;
  return HttpProgress::Done;
}

HttpProgress HttpReply::line() {
  switch (state_) {
    case State::Status: {
      // "HTTP/1.1 200 OK"
      if (line_size_ < 12 || memcmp(line_, "HTTP/1.", 7) != 0 || line_[8] != ' ') return HttpProgress::Malformed;
      if (line_size_ > 12 && line_[12] != ' ') return HttpProgress::Malformed;
      uint32_t status = 0;
      if (!parse_uint(line_ + 9, 3, 999, &status) || status < 100) return HttpProgress::Malformed;
      status_ = static_cast<uint16_t>(status);
      if (redirects() && location_bytes_ > 0) location_[0] = 0;
      state_ = State::Header;
      return HttpProgress::More;
    }
    case State::Header:
      return line_size_ == 0 && !in_location_ ? end_of_headers() : header();
    case State::ChunkSize:
      return chunk_size();
    case State::ChunkEnd:
      state_ = State::ChunkSize;
      return line_size_ == 0 ? HttpProgress::More : HttpProgress::Malformed;
    default:  // Trailer
      if (line_size_ > 0) return HttpProgress::More;
      state_ = State::Done;
      return HttpProgress::Done;
  }
}

HttpProgress HttpReply::header() {
  if (in_location_ || line_[0] == ' ' || line_[0] == '\t')
    return HttpProgress::More;  // folded lines belong to ignored headers
  const char* colon = static_cast<const char*>(memchr(line_, ':', line_size_));
  if (colon == nullptr) return cut_ ? HttpProgress::More : HttpProgress::Malformed;
  const size_t name = static_cast<size_t>(colon - line_);
  const char* value = colon + 1;
  const char* end = line_ + line_size_;
  while (value < end && (*value == ' ' || *value == '\t')) value++;
  while (end > value && (end[-1] == ' ' || end[-1] == '\t')) end--;
  const size_t size = static_cast<size_t>(end - value);
  if (equal_fold(line_, name, "content-length")) {
    uint32_t length = 0;
    if (cut_ || !parse_uint(value, size, kMaxLength, &length)) return HttpProgress::Malformed;
    if (has_length_ && length != length_) return HttpProgress::Malformed;
    has_length_ = true;
    length_ = length;
  } else if (equal_fold(line_, name, "transfer-encoding")) {
    if (equal_fold(value, size, "identity")) return HttpProgress::More;
    if (cut_ || !equal_fold(value, size, "chunked")) return HttpProgress::Malformed;
    chunked_ = true;
  } else if (equal_fold(line_, name, "retry-after")) {
    if (!parse_uint(value, size, kMaxLength, &retry_after_)) retry_after_ = 0;
  } else if (equal_fold(line_, name, "date")) {
    date_ = parse_date(value, size);
  } else if (equal_fold(line_, name, "content-encoding")) {
    if (!equal_fold(value, size, "identity")) return HttpProgress::Malformed;  // no encoding was offered
  }
  return HttpProgress::More;
}

HttpProgress HttpReply::end_of_headers() {
  if (status_ < 200) {  // 100 Continue and similar: the real reply follows
    state_ = State::Status;
    return HttpProgress::More;
  }
  if (!has_body(status_) || (has_length_ && !chunked_ && length_ == 0)) {
    state_ = State::Done;
    return HttpProgress::Done;
  }
  if (chunked_) {
    has_length_ = false;
    state_ = State::ChunkSize;
    return HttpProgress::More;
  }
  if (has_length_ && length_ > body_left_) return HttpProgress::TooLarge;
  part_left_ = length_;
  state_ = State::Body;
  return HttpProgress::More;
}

HttpProgress HttpReply::chunk_size() {
  uint32_t size = 0;
  size_t i = 0;
  for (; i < line_size_ && hex_digit(line_[i]) >= 0; i++) {
    if (size > kMaxLength >> 4) return HttpProgress::TooLarge;
    size = size << 4 | static_cast<uint32_t>(hex_digit(line_[i]));
  }
  if (i == 0 || (i < line_size_ && line_[i] != ';' && line_[i] != ' ')) return HttpProgress::Malformed;
  part_left_ = size;
  state_ = size == 0 ? State::Trailer : State::ChunkData;
  return HttpProgress::More;
}

HttpProgress HttpReply::finish() {
  if (result_ != HttpProgress::More) return result_;
  const bool until_close = state_ == State::Body && !has_length_;
  return result_ = until_close ? HttpProgress::Done : HttpProgress::Malformed;
}

}  // namespace hearth

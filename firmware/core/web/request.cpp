#include "web/request.h"

#include <string.h>

#include "http/ascii.h"
#include "http/url.h"

namespace hearth {
namespace {

constexpr uint32_t kMostBody = 0x00800000;  // 8 MB, more than any flash slot

/// Copies a token of a line; returns false if it is empty or does not fit.
bool copy_part(char* to, size_t capacity, const char* from, size_t size) {
  if (size == 0 || size >= capacity) return false;
  memcpy(to, from, size);
  to[size] = 0;
  return true;
}

}  // namespace

void WebRequest::start(Digest* digest, const AuthSettings* auth, uint32_t seconds) {
  *this = WebRequest();
  state_ = State::Line;
  header_left_ = kWebHeaderLimit;
  digest_ = digest;
  auth_ = auth;
  seconds_ = seconds;
}

bool WebRequest::is(const char* method, const char* path) const {
  if (!same_text(method, method_)) return false;
  const char* at = target_;
  for (; text_byte(path) != 0; path++) {
    if (*at++ != text_byte(path)) return false;
  }
  return *at == 0 || *at == '?';
}

WebEvent WebRequest::next(const uint8_t** bytes, size_t* size) {
  while (*size > 0 && state_ != State::Done) {
    if (state_ == State::Body) {
      body = *bytes;
      body_size = *size < left_ ? *size : left_;
      *bytes += body_size;
      *size -= body_size;
      left_ -= static_cast<uint32_t>(body_size);
      if (left_ == 0) state_ = State::Done;
      return WebEvent::Body;
    }
    const char c = static_cast<char>(*(*bytes)++);
    (*size)--;
    if (header_left_-- == 0) return WebEvent::TooLong;
    if (c != '\n') {
      if (line_size_ + 1 < kWebLineBytes) {
        line_[line_size_++] = c;
      } else {
        too_long_ = true;
      }
      continue;
    }
    while (line_size_ > 0 && line_[line_size_ - 1] == '\r') line_size_--;
    line_[line_size_] = 0;
    const WebEvent event = state_ == State::Line ? line() : header();
    line_size_ = 0;
    too_long_ = false;
    if (event != WebEvent::More) return event;
  }
  return state_ == State::Done ? WebEvent::End : WebEvent::More;
}

WebEvent WebRequest::line() {
  if (line_size_ == 0) return WebEvent::More;  // RFC 9112: ignore empty lines before the request
  if (too_long_) return WebEvent::TooLong;
  const char* space = strchr(line_, ' ');
  const char* last = strrchr(line_, ' ');
  if (strlen(line_) != line_size_ || space == nullptr || space == last || memcmp(last, " HTTP/1.", 8) != 0)
    return WebEvent::Malformed;
  if (!copy_part(method_, sizeof method_, line_, static_cast<size_t>(space - line_))) return WebEvent::Malformed;
  const size_t size = static_cast<size_t>(last - space - 1);
  if (size >= kTargetBytes) return WebEvent::TooLong;
  if (!copy_part(target_, kTargetBytes, space + 1, size) || target_[0] != '/') return WebEvent::Malformed;
  state_ = State::Header;
  return WebEvent::More;
}

WebEvent WebRequest::header() {
  if (line_size_ == 0) {
    // Browsers state which page caused a request; only the device's own page is allowed.
    if (has_origin_ && strcmp(origin_host_, host_) != 0) foreign_ = true;
    left_ = length_;
    state_ = left_ > 0 ? State::Body : State::Done;
    return WebEvent::Head;
  }
  char* colon = static_cast<char*>(memchr(line_, ':', line_size_));
  if (colon == nullptr || colon == line_ || line_[0] == ' ' || line_[0] == '\t') return WebEvent::Malformed;
  if (too_long_)
    return equal_fold(line_, static_cast<size_t>(colon - line_), "authorization") ? WebEvent::TooLong : WebEvent::More;
  char* value = colon + 1;
  while (*value == ' ' || *value == '\t') value++;
  for (size_t size = strlen(value); size > 0 && (value[size - 1] == ' ' || value[size - 1] == '\t'); size--)
    value[size - 1] = 0;
  *colon = 0;
  return bad_header(value) ? WebEvent::Malformed : WebEvent::More;
}

bool WebRequest::bad_header(char* value) {
  const size_t name = strlen(line_);
  const size_t size = strlen(value);
  if (equal_fold(line_, name, "host")) {
    if (host_[0] != 0 || size >= sizeof host_) return true;
    for (size_t i = 0; i <= size; i++) host_[i] = lower(value[i]);
  } else if (equal_fold(line_, name, "origin")) {
    has_origin_ = true;
    // This page is never served over https, and its origin is never "null".
    const char* host = strncmp(value, "http://", 7) == 0 ? value + 7 : "?";
    for (size_t i = 0; i + 1 < sizeof origin_host_; i++) {
      origin_host_[i] = lower(host[i]);
      if (host[i] == 0) break;
    }
  } else if (equal_fold(line_, name, "sec-fetch-site")) {
    if (!equal_fold(value, size, "same-origin") && !equal_fold(value, size, "none")) foreign_ = true;
  } else if (equal_fold(line_, name, "x-hearth")) {
    deliberate_ = true;
  } else if (equal_fold(line_, name, "x-hearth-code")) {
    if (size < sizeof code_) memcpy(code_, value, size + 1);
  } else if (equal_fold(line_, name, "content-length")) {
    uint32_t length = 0;
    if (!parse_uint(value, size, kMostBody, &length) || (has_length_ && length != length_)) return true;
    has_length_ = true;
    length_ = length;
  } else if (equal_fold(line_, name, "transfer-encoding")) {
    return true;  // no client of this page sends chunks, and two lengths would allow request smuggling
  } else if (equal_fold(line_, name, "expect")) {
    continue_ = equal_fold(value, size, "100-continue");
  } else if (equal_fold(line_, name, "content-type")) {
    const char* found = strstr(value, "boundary=");
    if (!begins_fold(value, "multipart/form-data") || found == nullptr) return false;
    found += 9;
    const bool quoted = *found == '"';
    if (quoted) found++;
    return !copy_part(boundary_, sizeof boundary_, found, strcspn(found, quoted ? "\"" : "; "));
  } else if (equal_fold(line_, name, "authorization") && digest_ != nullptr) {
    login_ = digest_->check(*auth_, method_, target_, value, seconds_);
  }
  return false;
}

}  // namespace hearth

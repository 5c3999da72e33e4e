#include "parse/json.h"

#include <string.h>

namespace hearth {
namespace {

bool is_space(uint8_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool in_number(uint8_t c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'; }
constexpr uint32_t kReplacement = 0xfffd;
constexpr uint8_t kMark[] = {0xef, 0xbb, 0xbf};  // U+FEFF, which programs for Windows write first

}  // namespace

void JsonReader::start(uint32_t limit, BadText bad_text) {
  *this = JsonReader();
  budget_ = limit;
  bad_text_ = bad_text;
  state_ = State::First;
}

void JsonReader::feed(const void* bytes, size_t size) {
  input_ = static_cast<const uint8_t*>(bytes);
  left_ = size;
}

JsonEvent JsonReader::next() {
  while (state_ != State::Failed) {
    if (left_ == 0) {
      if (state_ == State::Done && finished_) return JsonEvent::End;
      if (state_ == State::Number && finished_) return end_number();
      return finished_ ? fail() : JsonEvent::NeedMore;
    }
    bool taken = true;
    const JsonEvent event = step(*input_, &taken);
    if (taken) {
      if (budget_ == 0) return fail();
      budget_--;
      input_++;
      left_--;
    }
    if (event != JsonEvent::NeedMore) return event;
  }
  return JsonEvent::Error;
}

JsonEvent JsonReader::fail() {
  state_ = State::Failed;
  return JsonEvent::Error;
}

JsonEvent JsonReader::step(uint8_t c, bool* taken) {
  switch (state_) {
    case State::First:
      state_ = c == kMark[0] ? State::Mark : State::Value;
      pending_count_ = 1;
      if (state_ == State::Mark) return JsonEvent::NeedMore;
      break;
    case State::Mark:
      if (c != kMark[pending_count_++]) return fail();
      if (pending_count_ == sizeof kMark) state_ = State::Value;
      return JsonEvent::NeedMore;
    case State::Text:
      return text_byte(c, taken);
    case State::Escape:
      return escape(c);
    case State::Unicode:
      return unicode_digit(c);
    case State::Literal:
      return literal(c);
    case State::Number:
      if (in_number(c)) {
        if (size_ + 1 >= kJsonTextBytes) return fail();
        text_[size_++] = static_cast<char>(c);
        return JsonEvent::NeedMore;
      }
      *taken = false;
      return end_number();
    default:
      break;
  }
  if (is_space(c)) return JsonEvent::NeedMore;
  switch (state_) {
    case State::ValueOrEnd:
      if (c == ']') return close(false);
      return begin_value(c);
    case State::Value:
      return begin_value(c);
    case State::KeyOrEnd:
      if (c == '}') return close(true);
      [[fallthrough]];
    case State::Key:
      if (c != '"') return fail();
      is_key_ = true;
      return begin_value(c);
    case State::Colon:
      if (c != ':') return fail();
      state_ = State::Value;
      return JsonEvent::NeedMore;
    case State::CommaOrEnd: {
      const bool object = (objects_ >> (depth_ - 1) & 1) != 0;
      if (c == ',') {
        state_ = object ? State::Key : State::Value;
        return JsonEvent::NeedMore;
      }
      if (c == (object ? '}' : ']')) return close(object);
      return fail();
    }
    default:
      return fail();  // bytes after the end
  }
}

JsonEvent JsonReader::begin(bool object) {
  if (depth_ == kJsonDepth) return fail();
  const uint16_t bit = static_cast<uint16_t>(1u << depth_);
  objects_ = static_cast<uint16_t>(object ? objects_ | bit : objects_ & ~bit);
  depth_++;
  state_ = object ? State::KeyOrEnd : State::ValueOrEnd;
  return object ? JsonEvent::BeginObject : JsonEvent::BeginArray;
}

JsonEvent JsonReader::close(bool object) {
  depth_--;
  after_value();
  return object ? JsonEvent::EndObject : JsonEvent::EndArray;
}

JsonEvent JsonReader::begin_value(uint8_t c) {
  size_ = 0;
  text_[0] = 0;
  truncated_ = false;
  switch (c) {
    case '{':
      return begin(true);
    case '[':
      return begin(false);
    case '"':
      state_ = State::Text;
      return JsonEvent::NeedMore;
    case 't':
      literal_ = "rue";
      break;
    case 'f':
      literal_ = "alse";
      break;
    case 'n':
      literal_ = "ull";
      break;
    default:
      if (c != '-' && (c < '0' || c > '9')) return fail();
      state_ = State::Number;
      text_[size_++] = static_cast<char>(c);
      return JsonEvent::NeedMore;
  }
  text_[0] = static_cast<char>(c);
  state_ = State::Literal;
  return JsonEvent::NeedMore;
}

JsonEvent JsonReader::literal(uint8_t c) {
  if (c != static_cast<uint8_t>(*literal_)) return fail();
  literal_++;
  if (*literal_ != 0) return JsonEvent::NeedMore;
  after_value();
  return text_[0] == 't' ? JsonEvent::True : text_[0] == 'f' ? JsonEvent::False : JsonEvent::Null;
}

JsonEvent JsonReader::end_number() {
  text_[size_] = 0;
  if (!parse_decimal(text_, size_, &number_)) return fail();
  after_value();
  return JsonEvent::Number;
}

JsonEvent JsonReader::text_byte(uint8_t c, bool* taken) {
  if (c == '"' && pending_need_ == 0) {
    flush_lone_surrogate();
    text_[size_] = 0;
    if (is_key_) {
      is_key_ = false;
      state_ = State::Colon;
      return JsonEvent::Key;
    }
    after_value();
    return JsonEvent::String;
  }
  if (c == '\\' && pending_need_ == 0) {
    state_ = State::Escape;
    return JsonEvent::NeedMore;
  }
  if (c < 0x20 && pending_need_ == 0) return fail();
  flush_lone_surrogate();
  return utf8_byte(c) || bad_text(taken) ? JsonEvent::NeedMore : fail();
}

/// A byte that breaks off a character is read again; one that can't begin a character is replaced itself.
bool JsonReader::bad_text(bool* taken) {
  if (bad_text_ == BadText::Error) return false;
  *taken = pending_need_ == 0;
  pending_need_ = 0;
  put_code_point(kReplacement);
  return true;
}

/// Accepts one byte of UTF-8; returns false if it is not allowed there (RFC 3629: no overlong forms, no surrogates, at
/// most U+10FFFF).
bool JsonReader::utf8_byte(uint8_t c) {
  if (pending_need_ == 0) {
    if (c < 0x80) {
      put(&c, 1);
      return true;
    }
    if (c < 0xc2 || c > 0xf4) return false;
    pending_need_ = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    pending_[0] = c;
    pending_count_ = 1;
    return true;
  }
  uint8_t low = 0x80;
  uint8_t high = 0xbf;
  if (pending_count_ == 1) {
    if (pending_[0] == 0xe0) low = 0xa0;
    if (pending_[0] == 0xed) high = 0x9f;
    if (pending_[0] == 0xf0) low = 0x90;
    if (pending_[0] == 0xf4) high = 0x8f;
  }
  if (c < low || c > high) return false;
  pending_[pending_count_++] = c;
  if (--pending_need_ == 0) put(pending_, pending_count_);
  return true;
}

void JsonReader::put(const uint8_t* bytes, uint8_t count) {
  if (truncated_ || size_ + count >= kJsonTextBytes) {
    truncated_ = true;
    return;
  }
  memcpy(text_ + size_, bytes, count);
  size_ += count;
}

void JsonReader::put_code_point(uint32_t code) {
  if (code == 0) code = kReplacement;  // a NUL would end the text for its readers
  uint8_t bytes[4];
  uint8_t count = 0;
  if (code < 0x80) {
    bytes[count++] = static_cast<uint8_t>(code);
  } else if (code < 0x800) {
    bytes[count++] = static_cast<uint8_t>(0xc0 | code >> 6);
    bytes[count++] = static_cast<uint8_t>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    bytes[count++] = static_cast<uint8_t>(0xe0 | code >> 12);
    bytes[count++] = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3f));
    bytes[count++] = static_cast<uint8_t>(0x80 | (code & 0x3f));
  } else {
    bytes[count++] = static_cast<uint8_t>(0xf0 | code >> 18);
    bytes[count++] = static_cast<uint8_t>(0x80 | (code >> 12 & 0x3f));
    bytes[count++] = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3f));
    bytes[count++] = static_cast<uint8_t>(0x80 | (code & 0x3f));
  }
  put(bytes, count);
}

/// A lone surrogate is shown as the replacement character, as browsers do.
void JsonReader::flush_lone_surrogate() {
  if (high_ == 0) return;
  high_ = 0;
  put_code_point(kReplacement);
}

JsonEvent JsonReader::escape(uint8_t c) {
  static const char kFrom[] = "\"\\/bfnrt";
  static const char kTo[] = "\"\\/\b\f\n\r\t";
  state_ = State::Text;
  if (c == 'u') {
    state_ = State::Unicode;
    unit_ = 0;
    digits_ = 0;
    return JsonEvent::NeedMore;
  }
  flush_lone_surrogate();
  const char* found = c == 0 ? nullptr : strchr(kFrom, c);
  if (found == nullptr) return fail();
  const uint8_t byte = static_cast<uint8_t>(kTo[found - kFrom]);
  put(&byte, 1);
  return JsonEvent::NeedMore;
}

JsonEvent JsonReader::unicode_digit(uint8_t c) {
  const uint8_t lower = static_cast<uint8_t>(c | 0x20);
  uint8_t digit;
  if (c >= '0' && c <= '9') {
    digit = static_cast<uint8_t>(c - '0');
  } else if (lower >= 'a' && lower <= 'f') {
    digit = static_cast<uint8_t>(lower - 'a' + 10);
  } else {
    return fail();
  }
  unit_ = static_cast<uint16_t>(unit_ << 4 | digit);
  if (++digits_ < 4) return JsonEvent::NeedMore;
  state_ = State::Text;
  if (unit_ >= 0xdc00 && unit_ <= 0xdfff && high_ != 0) {
    const uint32_t code = 0x10000u + (static_cast<uint32_t>(high_ - 0xd800) << 10) + (unit_ - 0xdc00u);
    high_ = 0;
    put_code_point(code);
    return JsonEvent::NeedMore;
  }
  flush_lone_surrogate();
  if (unit_ >= 0xd800 && unit_ <= 0xdbff) {
    high_ = unit_;
  } else {
    put_code_point(unit_ >= 0xdc00 && unit_ <= 0xdfff ? kReplacement : unit_);
  }
  return JsonEvent::NeedMore;
}

}  // namespace hearth

// JSON as a stream of events (RFC 8259). Input comes in any chunks; memory is fixed.
//   reader.start(limit); while (more bytes) { reader.feed(bytes, n); while ((e = reader.next()) != NeedMore && e is no
//   end) … }
#pragma once
#include "quote/decimal.h"

namespace hearth {

constexpr uint8_t kJsonDepth = 16;  ///< deeper nesting is an error
constexpr size_t kJsonTextBytes =
    208;  ///< longer strings are cut (between characters) and marked; longer numbers are errors

enum class JsonEvent : uint8_t {
  NeedMore,
  BeginObject,
  EndObject,
  BeginArray,
  EndArray,
  Key,
  String,
  Number,
  True,
  False,
  Null,
  End,
  Error
};

/// What happens to a text that is not UTF-8.
enum class BadText : uint8_t {
  Error,
  Replace,  ///< each wrong byte becomes U+FFFD, as browsers show it
};

class JsonReader {
 public:
  /// Begins a new document of at most `limit` bytes. It may begin with a byte order mark.
  void start(uint32_t limit, BadText bad_text = BadText::Error);
  /// Provides the next bytes; they must stay valid until `next` returns NeedMore.
  void feed(const void* bytes, size_t size);
  /// Signals the end of the input: `next` then returns End or Error.
  void finish() { finished_ = true; }
  /// Returns the next event. End and Error repeat forever. After End only white space may follow; anything else is an
  /// Error.
  JsonEvent next();
  /// Text of the last Key or String (UTF-8, NUL-terminated), or of a Number as written.
  const char* text() const { return text_; }
  size_t size() const { return size_; }
  bool truncated() const { return truncated_; }
  /// Value of the last Number.
  Decimal number() const { return number_; }
  uint8_t depth() const { return depth_; }

 private:
  enum class State : uint8_t {
    First,  // of the document
    Mark,   // in its byte order mark
    Value,
    ValueOrEnd,
    KeyOrEnd,
    Key,
    Colon,
    CommaOrEnd,
    Text,
    Escape,
    Unicode,
    Number,
    Literal,
    Done,
    Failed
  };
  JsonEvent step(uint8_t c, bool* taken);
  JsonEvent begin(bool object);
  JsonEvent close(bool object);
  JsonEvent begin_value(uint8_t c);
  JsonEvent text_byte(uint8_t c, bool* taken);
  JsonEvent escape(uint8_t c);
  JsonEvent unicode_digit(uint8_t c);
  JsonEvent literal(uint8_t c);
  JsonEvent end_number();
  JsonEvent fail();
  void after_value() { state_ = depth_ == 0 ? State::Done : State::CommaOrEnd; }
  bool utf8_byte(uint8_t c);
  bool bad_text(bool* taken);
  void put_code_point(uint32_t code);
  void put(const uint8_t* bytes, uint8_t count);
  void flush_lone_surrogate();

  const uint8_t* input_ = nullptr;
  size_t left_ = 0;
  uint32_t budget_ = 0;
  State state_ = State::Failed;
  BadText bad_text_ = BadText::Error;
  bool finished_ = false;
  bool is_key_ = false;
  bool truncated_ = false;
  uint8_t depth_ = 0;
  uint16_t objects_ = 0;  // bit per level: 1 = object
  uint16_t high_ = 0;     // first half of a surrogate pair that waits for the second
  uint16_t unit_ = 0;     // \u digits so far
  uint8_t digits_ = 0;
  uint8_t pending_[4] = {};  // bytes of an unfinished UTF-8 character
  uint8_t pending_count_ = 0;
  uint8_t pending_need_ = 0;
  const char* literal_ = nullptr;
  size_t size_ = 0;
  Decimal number_{0, 0};
  char text_[kJsonTextBytes] = {};
};

/// Tracks the position of the reader in the document: "chart.result.0.meta.currency".
class JsonPath {
 public:
  void start();
  /// Call it with every event of the reader before calling `is`.
  void update(JsonEvent event, const char* text);
  /// Whether the last value (or the array or object that just began) has this path. `*` matches one part.
  bool is(const char* pattern) const;
  /// Whether it begins with a text without "*".
  bool begins(const char* text) const;

 private:
  void set_part(const char* text);
  void set_index(uint16_t index);
  static constexpr size_t kBytes = 112;
  char path_[kBytes] = {};
  uint8_t starts_[kJsonDepth + 1] = {};  // where each level's part begins
  uint16_t index_[kJsonDepth + 1] = {};
  uint16_t arrays_ = 0;
  uint8_t depth_ = 0;
  bool closing_ = false;
  bool too_long_ = false;
};

}  // namespace hearth

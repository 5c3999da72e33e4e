// Reads the reply to an HTTP/1.x request: status line, headers, then the body by length, in chunks or until the
// connection ends.
#pragma once
#include "port.h"

namespace hearth {

constexpr uint32_t kHeaderLimit = 16384;  ///< bytes of status line and headers together
constexpr size_t kLineBytes = 96;         ///< header lines are cut there; only Location may be longer

enum class HttpProgress : uint8_t { More, Done, Malformed, TooLarge, Stopped };

class HttpReply {
 public:
  /// Begins a reply. `location` (may be null) receives the target of a redirect, or "" if there is none or it does not
  /// fit. It is not changed until the status line has arrived, so the request may still be sent from it, and not at all
  /// by a reply that is no redirect. At most `body_limit` bytes of body are read.
  void start(uint32_t body_limit, char* location, size_t location_bytes);
  /// Accepts bytes in chunks of any size; the body goes to `body` (if it returns false, the result is Stopped). Bytes
  /// after the end are ignored.
  HttpProgress feed(const uint8_t* bytes, size_t size, ByteSink* body);
  /// Call it when the peer closes the connection.
  HttpProgress finish();
  /// 0 until the status line was read; the last status if a 1xx came first.
  uint16_t status() const { return status_; }
  /// Whether body bytes may arrive now (status and headers are known).
  bool in_body() const { return state_ >= State::Body; }
  /// Seconds of a Retry-After header, 0 = none (or a date, which needs a clock).
  uint32_t retry_after() const { return retry_after_; }
  /// Seconds since 1970 of a Date header, 0 = none.
  int64_t date() const { return date_; }
  /// Announced length of the body; false if there is none (chunks, or until the end).
  bool length(uint32_t* bytes) const;

 private:
  enum class State : uint8_t { Status, Header, Body, ChunkSize, ChunkData, ChunkEnd, Trailer, Done };
  bool redirects() const { return location_ != nullptr && status_ / 100 == 3; }
  HttpProgress line();
  HttpProgress header();
  HttpProgress end_of_headers();
  HttpProgress chunk_size();
  HttpProgress take(const uint8_t* bytes, size_t size, ByteSink* body);

  State state_ = State::Done;
  HttpProgress result_ = HttpProgress::More;
  uint16_t status_ = 0;
  uint32_t header_left_ = 0;
  uint32_t body_left_ = 0;
  uint32_t part_left_ = 0;  // of the body with a length, or of the chunk
  bool has_length_ = false;
  bool chunked_ = false;
  bool cut_ = false;  // the line did not fit
  bool in_location_ = false;
  uint32_t length_ = 0;
  uint32_t retry_after_ = 0;
  int64_t date_ = 0;
  char* location_ = nullptr;
  size_t location_bytes_ = 0;
  size_t location_size_ = 0;
  size_t line_size_ = 0;
  char line_[kLineBytes] = {};
};

}  // namespace hearth

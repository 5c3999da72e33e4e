// Reads a browser's request in chunks of any size: request line, the relevant headers, then the body.
#pragma once
#include "http/multipart.h"
#include "port.h"
#include "web/digest.h"

namespace hearth {

constexpr size_t kTargetBytes = 128;   ///< path and query; longer is answered with 414
constexpr size_t kWebLineBytes = 416;  ///< header lines; an Authorization of a browser has about 300
constexpr uint32_t kWebHeaderLimit = 8192;
constexpr size_t kCodeBytes = 7;  ///< six digits and NUL

enum class WebEvent : uint8_t {
  More,       ///< needs more bytes
  Head,       ///< the headers are complete (once)
  Body,       ///< `body` and `body_size` are the next bytes of the body
  End,        ///< the request is complete
  Malformed,  ///< 400
  TooLong,    ///< 414 or 431
};

class WebRequest {
 public:
  /// If a password is set, the Authorization header is checked while it is read.
  void start(Digest* digest, const AuthSettings* auth, uint32_t seconds);
  /// Consumes bytes from `*bytes` until the next event; call it again with the rest.
  WebEvent next(const uint8_t** bytes, size_t* size);
  bool is(const char* method, const char* path) const;
  const char* method() const { return method_; }
  const char* target() const { return target_; }
  const char* host() const { return host_; }
  /// Whether the browser stated that another site caused this request.
  bool foreign() const { return foreign_; }
  /// Whether the request has the header `X-Hearth`, which a form of another web page can't send.
  bool deliberate() const { return deliberate_; }
  /// The code that the client read from the screen, "" = none.
  const char* code() const { return code_; }
  DigestResult login() const { return login_; }
  uint32_t length() const { return length_; }
  const char* boundary() const { return boundary_; }
  bool expects_continue() const { return continue_; }
  const uint8_t* body = nullptr;
  size_t body_size = 0;

 private:
  enum class State : uint8_t { Line, Header, Body, Done };
  WebEvent line();
  WebEvent header();
  bool bad_header(char* value);

  State state_ = State::Done;
  bool foreign_ = false;
  bool has_origin_ = false;
  bool deliberate_ = false;
  bool too_long_ = false;
  DigestResult login_ = DigestResult::Missing;
  Digest* digest_ = nullptr;
  const AuthSettings* auth_ = nullptr;
  uint32_t seconds_ = 0;
  bool continue_ = false;
  bool has_length_ = false;
  uint32_t length_ = 0;
  uint32_t left_ = 0;
  uint32_t header_left_ = 0;
  size_t line_size_ = 0;
  char method_[8] = {};
  char code_[kCodeBytes] = {};
  char target_[kTargetBytes] = {};
  char host_[64] = {};
  char origin_host_[64] = {};
  char boundary_[kBoundaryBytes] = {};
  char line_[kWebLineBytes] = {};
};

}  // namespace hearth

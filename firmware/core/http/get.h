// One GET request, from opening the connection to the last byte, in non-blocking turns. Follows redirects.
#pragma once
#include "http/reply.h"
#include "http/url.h"
#include "port.h"
#include "quote/quote.h"

namespace hearth {

/// Writes the text of a request. It is called again for each redirect, and again with the same result if the line was
/// full.
class RequestText {
 public:
  virtual void write_request(const Url& url, bool redirected, ByteSink& sink) const = 0;

 protected:
  ~RequestText() = default;
};

class HttpGet {
 public:
  struct Job {
    const RequestText* text;
    ByteSink* body;  ///< gets the body of a 200
    Url url;
    Endpoint endpoint;    ///< TLS profile and buffers; host and port come from the address
    uint32_t timeout_ms;  ///< for the request with all its redirects
    uint32_t body_limit;
    char* location;  ///< space for the target of a redirect
    size_t location_bytes;
  };
  void begin(Net& net, const Job& job, uint32_t now_ms);
  /// Returns true when the request is over; `reason` and `status` then describe the result. Otherwise, call it again.
  bool step(uint32_t now_ms);
  void cancel();
  Reason reason() const { return reason_; }
  uint16_t status() const { return reply_.status(); }
  /// The time of the other side in seconds since 1970, 0 = it did not say.
  int64_t date() const { return reply_.date(); }
  /// Seconds that the other side asked to wait, 0 = it did not.
  uint32_t retry_after() const { return reply_.retry_after(); }

 private:
  bool over(Reason reason);
  bool connect(uint32_t now_ms);
  void send();
  bool receive();
  bool replied(uint32_t now_ms);
  bool redirect(uint32_t now_ms);
  Reason fault() const;

  Net* net_ = nullptr;
  Job job_{};
  HttpReply reply_;
  Reason reason_ = Reason::None;
  uint32_t begun_ms_ = 0;
  uint16_t sent_ = 0;
  bool whole_ = false;  // the request was sent
  bool done_ = true;
  uint8_t redirects_ = 0;
};

}  // namespace hearth

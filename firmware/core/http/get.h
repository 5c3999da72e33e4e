// One GET request, from opening the connection to the last byte, in non-blocking turns. Follows redirects. A large file
// is read in pieces, over one connection as long as the other side keeps it.
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
    ByteSink* body;  ///< gets the body of a 200, or of a 206 that was asked for
    Url url;
    Endpoint endpoint;    ///< TLS profile and buffers; host and port come from the address
    uint32_t timeout_ms;  ///< for the request with all its redirects; each piece has it anew
    uint32_t body_limit;
    bool in_pieces;  ///< the text asks for a piece: 206 is a success too, and `again` asks for the next one
    char* location;  ///< space for the target of a redirect
    size_t location_bytes;
  };
  void begin(Net& net, const Job& job, uint32_t now_ms);
  /// Returns true when the request is over; `reason` and `status` then describe the result. Otherwise, call it again.
  bool step(uint32_t now_ms);
  /// Sends the text again, to where the last redirect led; a lost connection is opened anew.
  void again(uint32_t now_ms);
  void cancel();
  Reason reason() const { return reason_; }
  uint16_t status() const { return reply_.status(); }
  /// The time of the other side in seconds since 1970, 0 = it did not say.
  int64_t date() const { return reply_.date(); }
  /// Seconds that the other side asked to wait, 0 = it did not.
  uint32_t retry_after() const { return reply_.retry_after(); }

 private:
  bool over(Reason reason);
  bool is_wanted(uint16_t status) const { return status == 200 || (job_.in_pieces && status == 206); }
  bool connect(uint32_t now_ms);
  void begin_request();
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
  bool kept_ = false;  // the connection waits for `again`
  uint8_t redirects_ = 0;
};

}  // namespace hearth

#include "http/get.h"

#include <string.h>

namespace hearth {
namespace {

constexpr uint8_t kMostRedirects = 3;
constexpr size_t kReadBytes = 256;
constexpr uint8_t kReadsPerTurn = 8;

/// Sends the bytes after the first `skip`, as far as the connection accepts them.
class Remainder : public ByteSink {
 public:
  Remainder(Net& net, uint16_t skip) : net_(net), skip_(skip) {}
  bool write(const void* bytes, size_t size) override {
    const uint8_t* from = static_cast<const uint8_t*>(bytes);
    const size_t skipped = size < skip_ ? size : skip_;
    skip_ = static_cast<uint16_t>(skip_ - skipped);
    from += skipped;
    size -= skipped;
    while (size > 0 && !full) {
      const size_t took = net_.send(from, size);
      full = took == 0;
      from += took;
      size -= took;
      sent = static_cast<uint16_t>(sent + took);
    }
    return !full;
  }
  uint16_t sent = 0;
  bool full = false;

 private:
  Net& net_;
  uint16_t skip_;
};

bool is_redirect(uint16_t status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

void HttpGet::begin(Net& net, const Job& job, uint32_t now_ms) {
  net_ = &net;
  job_ = job;
  redirects_ = 0;
  begun_ms_ = now_ms;
  done_ = kept_ = false;
  reason_ = Reason::None;
  connect(now_ms);
}

void HttpGet::again(uint32_t now_ms) {
  begun_ms_ = now_ms;
  done_ = false;
  reason_ = Reason::None;
  const bool open = kept_ && net_->state() == NetState::Open;
  kept_ = false;
  if (open) return begin_request();
  net_->close();
  connect(now_ms);
}

void HttpGet::begin_request() {
  reply_.start(job_.body_limit, job_.location, job_.location_bytes);
  sent_ = 0;
  whole_ = false;
}

bool HttpGet::connect(uint32_t now_ms) {
  job_.endpoint.host = job_.url.host;
  job_.endpoint.port = job_.url.port;
  if (!job_.url.tls) job_.endpoint.tls = TlsProfile::None;
  begin_request();
  const uint32_t used = now_ms - begun_ms_;
  if (used >= job_.timeout_ms) return over(Reason::TooSlow);
  if (!net_->open(job_.endpoint, job_.timeout_ms - used)) return over(fault());
  return false;
}

bool HttpGet::over(Reason reason) {
  kept_ = job_.in_pieces && reason == Reason::None && net_->state() == NetState::Open;
  if (net_ != nullptr && !kept_) net_->close();
  reason_ = reason;
  done_ = true;
  return true;
}

void HttpGet::cancel() {
  if (!done_) over(Reason::NoConnection);
  if (kept_) net_->close();
  kept_ = false;
}

Reason HttpGet::fault() const {
  switch (net_->fault()) {
    case NetFault::NoAddress:
      return Reason::NoAddress;
    case NetFault::TooSlow:
      return Reason::TooSlow;
    case NetFault::Tls:
      return Reason::TlsFailed;
    case NetFault::Certificate:
      return Reason::Certificate;
    default:
      return Reason::NoConnection;
  }
}

bool HttpGet::step(uint32_t now_ms) {
  if (done_) return true;
  if (now_ms - begun_ms_ >= job_.timeout_ms) return over(Reason::TooSlow);
  switch (net_->state()) {
    case NetState::Connecting:
      return false;
    case NetState::Failed:
      return over(fault());
    case NetState::Idle:
      return over(Reason::NoConnection);
    default:
      break;
  }
  if (!whole_ && reply_.status() == 0) send();
  return receive() ? replied(now_ms) : false;
}

void HttpGet::send() {
  Remainder rest(*net_, sent_);
  job_.text->write_request(job_.url, redirects_ > 0, rest);
  sent_ = static_cast<uint16_t>(sent_ + rest.sent);
  whole_ = !rest.full;
}

/// Reads the available bytes; returns true when the reply has ended (`reason_` may already be set).
bool HttpGet::receive() {
  uint8_t bytes[kReadBytes];
  for (uint8_t i = 0; i < kReadsPerTurn; i++) {
    const bool ended = net_->state() != NetState::Open;
    const size_t size = net_->receive(bytes, sizeof bytes);
    if (size == 0 && !ended) return false;
    // Only the body of a success is needed; others are skipped.
    ByteSink* body = is_wanted(reply_.status()) || !reply_.in_body() ? job_.body : nullptr;
    HttpProgress progress;
    if (size == 0) {
      progress = reply_.finish();
    } else if (body != nullptr && !reply_.in_body()) {
      // Head and first bytes of the body may arrive together, so stop after the head to see the status.
      size_t at = 0;
      progress = HttpProgress::More;
      while (at < size && progress == HttpProgress::More && !reply_.in_body())
        progress = reply_.feed(bytes + at++, 1, nullptr);
      if (progress == HttpProgress::More && at < size)
        progress = reply_.feed(bytes + at, size - at, is_wanted(reply_.status()) ? job_.body : nullptr);
    } else {
      progress = reply_.feed(bytes, size, body);
    }
    switch (progress) {
      case HttpProgress::More:
        continue;
      case HttpProgress::Done:
        return true;
      case HttpProgress::TooLarge:
        reason_ = Reason::TooLarge;
        return true;
      case HttpProgress::Stopped:
        return true;  // the reader of the body has the reason
      default:
        reason_ = size == 0 ? Reason::NoConnection : Reason::BadAnswer;
        return true;
    }
  }
  return false;
}

bool HttpGet::replied(uint32_t now_ms) {
  if (is_redirect(reply_.status()) && reason_ == Reason::None) return redirect(now_ms);
  if (reason_ != Reason::None && reply_.status() != 0 && !is_wanted(reply_.status()))
    reason_ = Reason::None;  // the status is more specific
  if (reason_ != Reason::None) return over(reason_);
  if (is_wanted(reply_.status())) return over(Reason::None);
  return over(reply_.status() == 429 ? Reason::RateLimited : Reason::HttpStatus);
}

bool HttpGet::redirect(uint32_t now_ms) {
  if (redirects_ == kMostRedirects || job_.location[0] == 0) return over(Reason::HttpStatus);
  const bool was_tls = job_.url.tls;
  redirects_++;
  net_->close();
  if (job_.location[0] == '/' && job_.location[1] != '/') {
    job_.url.path = job_.location;
    job_.url.path_size = strcspn(job_.location, "#");
  } else if (!parse_url(job_.location, &job_.url) || (was_tls && !job_.url.tls)) {
    return over(Reason::HttpStatus);  // never redirects from https to http
  }
  // The path shares memory with the next redirect, so nothing is sent after that reply begins.
  return connect(now_ms);
}

}  // namespace hearth

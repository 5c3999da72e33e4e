#include "web.h"

#include <time.h>

namespace sim {

namespace {

constexpr int64_t kSilenceMs = 2000;  // browsers open connections that they never use

int64_t now_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

}  // namespace

void Web::drop() {
  if (client_) client_->close();
  client_.reset();
}

void Web::turn(hearth::App& app) {
  if (!client_) {
    const int socket = listener_.take();
    if (socket < 0) return;
    client_.emplace(socket);
    heard_ms_ = now_ms();
    app.web_open();
  }
  // Before it reads: what arrived while this process waited for a processor is no silence.
  const int64_t now = now_ms();
  uint8_t bytes[1460];
  const int got = client_->read(bytes, sizeof bytes);
  if (got == 0) return drop();
  if (got > 0) {
    heard_ms_ = now;
    app.web_receive(bytes, static_cast<size_t>(got), *client_);
  }
  if (app.web_poll(*client_) || now - heard_ms_ > kSilenceMs) drop();
}

}  // namespace sim

#include "web.h"

namespace sim {

void Web::drop(hearth::App& app) {
  if (!client_) return;
  client_->close();
  client_.reset();
  app.web_closed();
}

void Web::turn(hearth::App& app) {
  if (!client_) {
    const int socket = listener_.take();
    if (socket < 0) return;
    client_.emplace(socket);
    app.web_open();
  }
  uint8_t bytes[1460];
  const int got = client_->read(bytes, sizeof bytes);
  if (got == 0) return drop(app);
  if (got > 0) app.web_receive(bytes, static_cast<size_t>(got), *client_);
  if (app.web_poll(*client_)) drop(app);
}

}  // namespace sim

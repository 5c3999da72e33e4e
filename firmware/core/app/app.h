// The device as a state machine. A board's loop is: hand in serial bytes, serve one web client, `tick`, draw `view`.
//   app.start();
//   for (;;) { app.serial(bytes, n); web client → app.web_…; app.tick(); screen.draw(app.view(), panel); }
#pragma once
#include "app/view.h"
#include "port.h"

namespace hearth {

class App {
 public:
  explicit App(const Ports& ports);
  /// Loads the settings (defaults when the file is missing or broken) and begins to join a network.
  void start();
  /// One turn: never more than one network request is under way. Call often; it does little each time.
  void tick();
  /// Bytes from the serial line in any chunks. Replies go to `Ports::serial`.
  void serial(const uint8_t* bytes, size_t size);
  /// A web client connected; any request that was under way is forgotten.
  void web_open();
  /// Bytes of its request in any chunks. The reply goes to `client`, now or from `web_poll`.
  void web_receive(const uint8_t* bytes, size_t size, ByteSink& client);
  /// Continues a reply that waits for something. True when the board should close the connection.
  bool web_poll(ByteSink& client);
  /// What the screens show now.
  const View& view() const { return view_; }

 private:
  Ports ports_;
  View view_;
};

}  // namespace hearth

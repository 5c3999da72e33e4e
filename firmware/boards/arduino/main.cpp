// The main program of all boards: starts everything, then passes input to the core and draws changes.
#include "app/app.h"
#include "screen/screen.h"

// After the core: Arduino.h defines macros with short common names.
#include <Arduino.h>

#include "clock.h"
#include "hashes.h"
#if defined(HEARTH_LOADER)
#include "no_net.h"
#else
#include "net.h"
#endif
#include "platform.h"
#include "radio.h"
#include "st7789.h"
#include "store.h"
#include "system.h"

namespace {

class SerialLine final : public hearth::ByteSink, public hearth::Log {
 public:
  bool write(const void* bytes, size_t size) override {
    return Serial.write(static_cast<const uint8_t*>(bytes), size) == size;
  }
  /// The core sends its log in frames over the serial line; this is for boards without one.
  void line(const char*) override {}
};

class Chance final : public hearth::Entropy {
 public:
  void fill(void* bytes, size_t size) override {
    for (size_t i = 0; i < size; ++i) static_cast<uint8_t*>(bytes)[i] = static_cast<uint8_t>(random_word());
  }

 private:
  static uint32_t random_word() {
#if defined(ESP8266)
    return ESP.random();
#else
    return esp_random();
#endif
  }
};

/// Provides rows of the current image, for a screenshot over USB or the web page.
class ViewPainter final : public hearth::Painter {
 public:
  void rows(uint16_t y, uint16_t count, uint16_t* pixels) override;
};

class WebClient final : public hearth::ByteSink {
 public:
  /// Gives up after the first stuck write: the rest of a reply would have to wait as long, piece by piece.
  bool write(const void* bytes, size_t size) override {
    gone = gone || connection.write(static_cast<const uint8_t*>(bytes), size) != size;
    return !gone;
  }
  board::PlainClient connection;
  bool open = false;
  bool gone = false;
};

constexpr size_t kSerialBytes = 2048;
constexpr uint32_t kStuckWriteMs = 1500;

board::NetClock board_clock;
#if defined(HEARTH_LOADER)
board::NoNet net;
#else
board::ClientNet net;
#endif
board::Radio radio;
board::FlashStore store;
board::St7789 panel;
board::ChipSystem chip;
SerialLine serial_line;
Chance chance;
board::ChipHashes hashes;
WiFiServer web_server(80);
WebClient web;
ViewPainter painter;
hearth::Screen screen;
hearth::App app({board_clock, net, radio, store, panel, chance, hashes, serial_line, chip, serial_line, &painter});

void ViewPainter::rows(uint16_t y, uint16_t count, uint16_t* pixels) {
  hearth::draw_rows(app.view(), hearth::Output::for_eyes(app.view().brightness), y, count, pixels);
}

void end_web() {
  web.connection.stop();
  web.open = false;
  app.web_closed();
}

void read_touch() {
  constexpr uint32_t kEveryMs = 20;
  static uint32_t read_ms = 0;
  if (millis() - read_ms < kEveryMs) return;
  read_ms = millis();
  app.touch(board::is_touched());
}

void serve_web() {
  if (!web.open) {
    web.connection = web_server.accept();
    if (!web.connection) return;
    board::limit_writes(web.connection, kStuckWriteMs);
    web.open = true;
    web.gone = false;
    app.web_open();
  }
  uint8_t bytes[256];
  const int got = web.connection.available() > 0 ? web.connection.read(bytes, sizeof bytes) : 0;
  if (got > 0) app.web_receive(bytes, static_cast<size_t>(got), web);
  if (app.web_poll(web) || web.gone || (got <= 0 && !web.connection.connected())) end_web();
}

}  // namespace

void setup() {
  Serial.setRxBufferSize(kSerialBytes);  // a settings message that arrives during a handshake
  Serial.begin(115200);
  chip.start();
  panel.start();
  store.start();
  app.load();
  radio.start(app.view().settings->hostname);
  web_server.begin();
  app.start();
}

void loop() {
  uint8_t bytes[128];
  size_t count = 0;
  while (count < sizeof bytes && Serial.available() > 0) bytes[count++] = static_cast<uint8_t>(Serial.read());
  if (count > 0) app.serial(bytes, count);
  radio.turn();
  read_touch();
  serve_web();
  app.tick();
  screen.draw(app.view(), panel);
  board::feed_watchdog();
  yield();
}

// ticker-sim: one simulated device. Output is JSON lines; the first one states the addresses of the device.
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include <memory>

#include "app/app.h"
#include "boards/esp32/hashes.h"
#include "control.h"
#include "heap.h"
#include "net.h"
#include "screen/screen.h"
#include "serial.h"
#include "store.h"
#include "system.h"
#include "web.h"

namespace {

constexpr double kVeryFast = 200;  // from here on a millisecond of rest would be too long
volatile sig_atomic_t stopped = 0;

std::string quoted(const char* text) {
  std::string json = "\"";
  for (const char* at = text; *at != '\0'; ++at) {
    char escaped[8];
    const auto byte = static_cast<unsigned char>(*at);
    if (byte == '"' || byte == '\\')
      json += {'\\', *at};
    else if (byte < 32)
      json += (snprintf(escaped, sizeof escaped, "\\u%04x", byte), escaped);
    else
      json += *at;
  }
  return json + "\"";
}

class JsonLog final : public hearth::Log {
 public:
  void line(const char* text) override { printf("{\"log\":%s}\n", quoted(text).c_str()); }
};

class Chance final : public hearth::Entropy {
 public:
  explicit Chance(uint32_t seed) : state_(seed) {}
  void fill(void* bytes, size_t size) override {
    auto* at = static_cast<uint8_t*>(bytes);
    if (state_ == 0 && getrandom(at, size, 0) == static_cast<ssize_t>(size)) return;
    for (size_t i = 0; i < size; ++i) at[i] = static_cast<uint8_t>((state_ = state_ * 1664525u + 1013904223u) >> 24);
  }

 private:
  uint32_t state_;
};

/// Provides rows of the current image, for a screenshot over USB or the web page.
class ViewPainter final : public hearth::Painter {
 public:
  void rows(uint16_t y, uint16_t count, uint16_t* pixels) override {
    hearth::draw_rows(app->view(), hearth::Output::for_eyes(app->view().brightness), y, count, pixels);
  }
  const hearth::App* app = nullptr;
};

/// State that survives a restart of the device.
struct Device {
  explicit Device(const sim::Options& given)
      : options(given),
        clock(options, faults),
        wifi(options, faults, clock),
        net(options, faults, wifi),
        store(options.state_folder, faults),
        chance(options.seed),
        system(options),
        serial(faults),
        control(
            glass, faults, [this] { return state(); }, [this] { system.start_again(hearth::ResetCause::Crash); }) {}

  std::string state() {
    char text[256];
    snprintf(text, sizeof text,
             "{\"virtualMs\":%llu,\"heapFree\":%zu,\"heapLargest\":%zu,\"backlight\":%u,\"screenRevision\":%u,"
             "\"code\":\"%s\"}",
             static_cast<unsigned long long>(clock.total()), sim::heap_free(), sim::heap_largest(), glass.backlight(),
             glass.revision(), view == nullptr ? "" : view->code);
    return text;
  }

  const sim::Options& options;
  sim::Faults faults;
  sim::FastClock clock;
  sim::FakeWifi wifi;
  sim::SocketNet net;
  sim::FolderStore store;
  sim::Glass glass;
  Chance chance;
  board::ChipHashes hashes;
  JsonLog log;
  sim::ChipSystem system;
  sim::Pty serial;
  sim::Web web;
  sim::Control control;
  const hearth::View* view = nullptr;  ///< what its program shows; only a person at the device knows the code
};

/// Runs the device from one start to the next.
void live(Device& device) {
  ViewPainter painter;
  const hearth::Ports ports{device.clock,  device.net, device.wifi,   device.store,  device.glass, device.chance,
                            device.hashes, device.log, device.system, device.serial, &painter};
  auto app = std::make_unique<hearth::App>(ports);
  painter.app = app.get();
  device.view = &app->view();
  auto screen = std::make_unique<hearth::Screen>();
  app->start();
  while (stopped == 0 && !device.system.take_restart()) {
    pollfd waiting[] = {
        {device.serial.handle(), POLLIN, 0}, {device.web.handle(), POLLIN, 0}, {device.control.handle(), POLLIN, 0}};
    poll(waiting, 3, device.options.speed > kVeryFast && !device.net.busy() && !device.web.busy() ? 0 : 1);
    device.clock.turn(device.net.busy() || device.web.busy(), device.wifi.joined());
    uint8_t bytes[256];
    const size_t got = device.serial.read(bytes, sizeof bytes);
    if (got > 0) app->serial(bytes, got);
    device.web.turn(*app);
    app->tick();
    screen->draw(app->view(), device.glass);
    device.control.turn();  // after the first image was drawn
  }
  device.view = nullptr;
  device.web.drop(*app);
  device.net.close();
  device.wifi.leave();
}

}  // namespace

int main(int argc, char** argv) {
  sim::Options options;
  if (!sim::read_options(argc, argv, &options)) return 2;
  struct sigaction stop {};
  stop.sa_handler = [](int) { stopped = 1; };
  sigaction(SIGTERM, &stop, nullptr);
  sigaction(SIGINT, &stop, nullptr);
  signal(SIGPIPE, SIG_IGN);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  sim::heap_start(options.heap);

  Device device(options);
  if (!device.serial.start() || !device.web.start(options.web_port) || !device.control.start()) {
    fprintf(stderr, "ticker-sim: no pseudo terminal or no port %u on loopback\n", options.web_port);
    return 1;
  }
  printf(
      "{\"pty\":%s,\"web\":\"http://127.0.0.1:%u\",\"control\":\"http://127.0.0.1:%u\",\"chip\":\"%s\",\"pid\":%d}\n",
      quoted(device.serial.name().c_str()).c_str(), device.web.port(), device.control.port(), options.chip_name.c_str(),
      static_cast<int>(getpid()));
  while (stopped == 0) live(device);
  return 0;
}

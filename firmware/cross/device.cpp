// A board program without hardware, which is only linked and measured: it contains everything that a device keeps in
// RAM while it runs, and every path of the core. The ports return values from one volatile word, so that the linker
// can't remove anything as unreachable.
#include "app/app.h"
#include "screen/screen.h"

namespace {

volatile uint32_t hardware;

struct BoardClock final : hearth::Clock {
  uint32_t millis() override { return hardware; }
  bool unix_seconds(int64_t* seconds) override { return *seconds = hardware, true; }
  void keep_time(bool) override {}
  uint32_t sync_age_ms() override { return hardware; }
};
struct BoardNet final : hearth::Net {
  bool open(const hearth::Endpoint& endpoint, uint32_t) override { return endpoint.port == hardware; }
  hearth::NetState state() override { return static_cast<hearth::NetState>(hardware); }
  hearth::NetFault fault() override { return static_cast<hearth::NetFault>(hardware); }
  size_t send(const void*, size_t size) override { return size < hardware ? size : hardware; }
  size_t receive(void* bytes, size_t) override {
    return *static_cast<uint8_t*>(bytes) = static_cast<uint8_t>(hardware), 1;
  }
  void close() override {}
};
struct BoardWifi final : hearth::Wifi {
  void join(const char* ssid, const char*, const char*) override { hardware = static_cast<uint8_t>(*ssid); }
  hearth::WifiState state() override { return static_cast<hearth::WifiState>(hardware); }
  void leave() override {}
  void open_access_point(const char* ssid, const char*) override { hardware = static_cast<uint8_t>(*ssid); }
  uint8_t scan() override { return static_cast<uint8_t>(hardware); }
  bool seen(uint8_t, hearth::WifiSeen* network) override { return network->encrypted = hardware != 0; }
  int8_t rssi() override { return static_cast<int8_t>(hardware); }
  uint32_t address() override { return hardware; }
};
struct BoardStore final : hearth::Store {
  bool open(const char*) override { return hardware != 0; }
  size_t read(void* bytes, size_t) override {
    return *static_cast<uint8_t*>(bytes) = static_cast<uint8_t>(hardware), hardware & 1;
  }
  void close() override {}
  bool create(const char*) override { return hardware != 0; }
  bool write(const void* bytes, size_t) override { return *static_cast<const uint8_t*>(bytes) != hardware; }
  bool commit() override { return hardware != 0; }
  void abandon() override {}
  bool remove(const char*) override { return hardware != 0; }
};
struct BoardPanel final : hearth::Panel {
  void configure(const hearth::PanelSetup& setup) override { hardware = setup.backlight_inverted; }
  void window(uint16_t x, uint16_t y, uint16_t, uint16_t) override { hardware = static_cast<uint32_t>(x) + y; }
  void push(const uint16_t* pixels, size_t count) override { hardware = pixels[count - 1]; }
  void backlight(uint8_t percent) override { hardware = percent; }
  bool has_light() override { return hardware != 0; }
  uint8_t light() override { return static_cast<uint8_t>(hardware); }
};
struct BoardEntropy final : hearth::Entropy {
  void fill(void* bytes, size_t size) override {
    for (size_t k = 0; k < size; ++k) static_cast<uint8_t*>(bytes)[k] = static_cast<uint8_t>(hardware);
  }
};
struct BoardHashes final : hearth::Hashes {
  void md5_start() override {}
  bool is_signed(const uint8_t*, const uint8_t*, const uint8_t*) override { return hardware != 0; }
  void md5_add(const void* bytes, size_t) override { hardware = *static_cast<const uint8_t*>(bytes); }
  void md5_finish(uint8_t digest[16]) override { digest[0] = static_cast<uint8_t>(hardware); }
  void sha256_start() override {}
  void sha256_add(const void* bytes, size_t) override { hardware = *static_cast<const uint8_t*>(bytes); }
  void sha256_finish(uint8_t digest[32]) override { digest[0] = static_cast<uint8_t>(hardware); }
};
struct BoardLog final : hearth::Log {
  void line(const char* text) override { hardware = static_cast<uint8_t>(*text); }
};
struct BoardSystem final : hearth::System {
  const hearth::BoardInfo& board() override { return *reinterpret_cast<const hearth::BoardInfo*>(hardware); }
  uint32_t free_heap() override { return hardware; }
  uint32_t largest_block() override { return hardware; }
  uint32_t free_stack() override { return hardware; }
  hearth::ResetCause reset_cause() override { return static_cast<hearth::ResetCause>(hardware); }
  void recall(void* bytes, size_t) override { *static_cast<uint8_t*>(bytes) = static_cast<uint8_t>(hardware); }
  void keep(const void* bytes, size_t) override { hardware = *static_cast<const uint8_t*>(bytes); }
  void restart() override {}
  bool update_begin(uint32_t size) override { return size < hardware; }
  bool update_write(const void* bytes, size_t) override { return *static_cast<const uint8_t*>(bytes) != hardware; }
  bool update_end() override { return hardware != 0; }
  void update_abandon() override {}
  void confirm() override { hardware = 1; }
};
struct Line final : hearth::ByteSink {
  bool write(const void* bytes, size_t) override { return *static_cast<const uint8_t*>(bytes) != hardware; }
};

BoardClock board_clock;
BoardNet board_net;
BoardWifi board_wifi;
BoardStore board_store;
BoardPanel board_panel;
BoardEntropy board_entropy;
BoardHashes board_hashes;
BoardLog board_log;
BoardSystem board_system;
Line serial_line, web_client;

alignas(hearth::App) uint8_t app_memory[sizeof(hearth::App)];
alignas(hearth::Screen) uint8_t screen_memory[sizeof(hearth::Screen)];

}  // namespace

void* operator new(size_t, void* place) noexcept { return place; }
extern "C" void out(const char*, int);
extern "C" void __cxa_pure_virtual() {
  for (;;) out("pure", 4);
}

int main() {
  hearth::App& app =
      *new (app_memory) hearth::App({board_clock, board_net, board_wifi, board_store, board_panel, board_entropy,
                                     board_hashes, board_log, board_system, serial_line, nullptr});
  hearth::Screen& screen = *new (screen_memory) hearth::Screen();
  app.start();
  for (;;) {
    const uint8_t byte = static_cast<uint8_t>(hardware);
    app.serial(&byte, 1);
    app.web_open();
    app.web_receive(&byte, 1, web_client);
    while (!app.web_poll(web_client)) app.tick();
    screen.draw(app.view(), board_panel);
  }
}

// Interfaces that a board provides for the core: small classes, implemented in firmware/boards and firmware/sim. The
// core never deletes through them (their destructors are protected and trivial), so a freestanding build needs neither
// new nor delete. All texts are UTF-8 and NUL-terminated; all calls come from one thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// A destination for bytes: the serial line, a reply to a web client, a file.
class ByteSink {
 public:
  /// Writes all bytes (waiting for a slow line), or returns false if the other side is gone.
  virtual bool write(const void* bytes, size_t size) = 0;

 protected:
  ~ByteSink() = default;
};

class Clock {
 public:
  /// Milliseconds since an arbitrary start; wraps after 49.7 days.
  virtual uint32_t millis() = 0;
  /// Seconds since 1970, UTC. False until a time server returned a time later than 2021-01-01.
  virtual bool unix_seconds(int64_t* seconds) = 0;
  /// Starts or stops time synchronization; a second `true` synchronizes again immediately.
  virtual void keep_time(bool wanted) = 0;
  /// Milliseconds since the last successful synchronization, UINT32_MAX if there was none.
  virtual uint32_t sync_age_ms() = 0;

 protected:
  ~Clock() = default;
};

enum class TlsProfile : uint8_t {
  None,       ///< plain TCP
  StaticRsa,  ///< ESP8266: only static-RSA suites; elsewhere the system's list
  Ecdhe,      ///< ESP8266: full list, curve P-256, one stored session is resumed
};

/// The target of a connection. `host` stays valid until `close`. Buffers are in bytes; boards with enough memory may
/// ignore them.
struct Endpoint {
  const char* host;
  uint16_t port;
  TlsProfile tls;
  uint16_t receive_buffer;
  uint16_t send_buffer;
};

enum class NetState : uint8_t { Idle, Connecting, Open, Closed, Failed };
enum class NetFault : uint8_t { None, NoAddress, Refused, TooSlow, Tls, Certificate, Broken };

/// One outgoing connection at a time. `open` may complete the handshake before it returns.
class Net {
 public:
  /// Looking up the name, connecting and the handshake together take at most about `timeout_ms`.
  virtual bool open(const Endpoint& endpoint, uint32_t timeout_ms) = 0;
  /// `Closed`: the peer closed the connection; bytes that arrived before can still be received.
  virtual NetState state() = 0;
  virtual NetFault fault() = 0;
  /// Number of bytes sent; 0 when nothing can be sent now.
  virtual size_t send(const void* bytes, size_t size) = 0;
  /// Number of bytes received; 0 when none are available now.
  virtual size_t receive(void* bytes, size_t capacity) = 0;
  virtual void close() = 0;

 protected:
  ~Net() = default;
};

struct WifiSeen {
  char ssid[33];
  int8_t rssi;
  bool encrypted;
};

enum class WifiState : uint8_t { Off, Joining, Joined, Refused, AccessPoint };

class Wifi {
 public:
  /// Starts to join; an empty `pass` means an open network. From then on, `state` refers to this attempt only.
  virtual void join(const char* ssid, const char* pass, const char* hostname) = 0;
  virtual WifiState state() = 0;
  virtual void leave() = 0;
  /// Opens the setup network 192.168.4.1/24 whose DNS resolves every name to the device. With a `pass` of fewer than 8
  /// characters the network is open.
  virtual void open_access_point(const char* ssid, const char* pass) = 0;
  /// Scans for networks (may take seconds) and returns their number, strongest first. `seen` reads them until the next
  /// scan.
  virtual uint8_t scan() = 0;
  virtual bool seen(uint8_t index, WifiSeen* network) = 0;
  virtual int8_t rssi() = 0;
  /// Own IPv4 address, a.b.c.d = a << 24 | b << 16 | c << 8 | d; 0 = none.
  virtual uint32_t address() = 0;

 protected:
  ~Wifi() = default;
};

/// Small files by name ("settings.json"). One file is open at a time.
class Store {
 public:
  virtual bool open(const char* name) = 0;
  virtual size_t read(void* bytes, size_t capacity) = 0;
  virtual void close() = 0;
  /// Starts a new file beside the old one; only `commit` flushes it and replaces the old one atomically.
  virtual bool create(const char* name) = 0;
  virtual bool write(const void* bytes, size_t size) = 0;
  virtual bool commit() = 0;
  virtual void abandon() = 0;
  virtual bool remove(const char* name) = 0;

 protected:
  ~Store() = default;
};

/// Settings that the display controller itself must know.
struct PanelSetup {
  uint8_t rotation;         ///< 0..3, quarter turns
  uint8_t color_order;      ///< 0 auto (the board's own), 1 rgb, 2 bgr
  bool invert;              ///< differs from the board's own inversion
  bool backlight_inverted;  ///< PWM active low
};

class Panel {
 public:
  virtual void configure(const PanelSetup& setup) = 0;
  /// The following `push` calls fill this rectangle row by row with RGB565 (host byte order).
  virtual void window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) = 0;
  virtual void push(const uint16_t* pixels, size_t count) = 0;
  /// 0 = off … 100.
  virtual void backlight(uint8_t percent) = 0;
  virtual bool has_light() = 0;
  /// Ambient light 0..100, read from the sensor now; only for boards that have one, and rarely: reading it more often
  /// than every 50 ms takes an ESP8266 off its network.
  virtual uint8_t light() = 0;

 protected:
  ~Panel() = default;
};

class Entropy {
 public:
  virtual void fill(void* bytes, size_t size) = 0;

 protected:
  ~Entropy() = default;
};

/// Hash functions and signatures of the chip's library. At most one MD5 and one SHA-256 calculation can run at a time;
/// starting one aborts the previous one of its kind.
class Hashes {
 public:
  virtual void md5_start() = 0;
  virtual void md5_add(const void* bytes, size_t size) = 0;
  virtual void md5_finish(uint8_t digest[16]) = 0;
  virtual void sha256_start() = 0;
  virtual void sha256_add(const void* bytes, size_t size) = 0;
  virtual void sha256_finish(uint8_t digest[32]) = 0;
  /// ECDSA with the curve P-256: a key is X and Y, a signature r and s, all big endian. May take a second.
  virtual bool is_signed(const uint8_t key[64], const uint8_t digest[32], const uint8_t signature[64]) = 0;

 protected:
  ~Hashes() = default;
};

class Log {
 public:
  /// One line without its line ending. Never contains passwords.
  virtual void line(const char* text) = 0;

 protected:
  ~Log() = default;
};

enum class Chip : uint8_t { Esp8266, Esp32, Esp32c2, Esp32c3 };
enum class ResetCause : uint8_t { PowerOn, Restart, Crash, Watchdog, Other };

/// Constants of the build and of the board.
struct BoardInfo {
  Chip chip;
  const char* board;       ///< tag in the image's header, e.g. "smalltv-esp8266"
  const char* version;     ///< "1.2.3"
  const char* repo_owner;  ///< GitHub owner of published quotes and releases; empty = not built in
  const char* repo_name;
  const char* update_asset;  ///< file name of this board's image in a release
  uint32_t chip_number;      ///< for the default host name
  bool backlight_inverted;   ///< board's own default
  uint32_t slot_bytes;       ///< largest image that fits
  /// Public keys of those who may sign updates, the present one and the next; none = anybody may make an update.
  const uint8_t (*update_keys)[64] = nullptr;
  uint8_t update_key_count = 0;
  /// A small program that only takes the real firmware, for updaters of manufacturers with little space.
  bool loader = false;
};

class System {
 public:
  virtual const BoardInfo& board() = 0;
  virtual uint32_t free_heap() = 0;
  virtual uint32_t largest_block() = 0;
  virtual uint32_t free_stack() = 0;
  virtual ResetCause reset_cause() = 0;
  virtual void restart() = 0;
  /// A few bytes of RAM that a restart or a crash keeps and a power cut does not; what they hold after one is random.
  virtual void recall(void* bytes, size_t size) = 0;
  virtual void keep(const void* bytes, size_t size) = 0;
  /// New firmware: nothing is erased before `update_begin`. `update_end` verifies the image and marks it for the next
  /// start.
  virtual bool update_begin(uint32_t size) = 0;
  virtual bool update_write(const void* bytes, size_t size) = 0;
  virtual bool update_end() = 0;
  /// Gives up an update that was begun; another one can begin after it.
  virtual void update_abandon() = 0;
  /// The running firmware works. Without this call, a board that can do so starts the previous one after the next
  /// reset.
  virtual void confirm() = 0;

 protected:
  ~System() = default;
};

/// Draws rows of the current image (240 pixels wide) for a screenshot.
class Painter {
 public:
  virtual void rows(uint16_t y, uint16_t count, uint16_t* pixels) = 0;

 protected:
  ~Painter() = default;
};

/// All ports of the core. If `painter` is null, there are no screenshots.
struct Ports {
  Clock& clock;
  Net& net;
  Wifi& wifi;
  Store& store;
  Panel& panel;
  Entropy& entropy;
  Hashes& hashes;
  Log& log;
  System& system;
  ByteSink& serial;
  Painter* painter;
};

}  // namespace hearth

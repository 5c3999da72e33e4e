// A complete device for tests: the app over ports in memory, with a manual clock.
#pragma once
#include <deque>
#include <functional>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "app/app.h"
#include "boards/esp32/hashes.h"

namespace device {

using namespace hearth;

struct Bytes : public ByteSink {
  bool write(const void* bytes, size_t size) override {
    text.append(static_cast<const char*>(bytes), size);
    return !gone;
  }
  std::string text;
  bool gone = false;
};

struct TestClock : public Clock {
  uint32_t millis() override { return ms; }
  bool unix_seconds(int64_t* seconds) override {
    *seconds = unix;
    return known;
  }
  void keep_time(bool wanted) override {
    kept = wanted;
    asked++;
  }
  uint32_t sync_age_ms() override { return age; }
  uint32_t ms = 1000;
  int64_t unix = 0;
  bool known = false;
  bool kept = false;
  int asked = 0;
  uint32_t age = UINT32_MAX;
};

/// Replies to each connection with the next prepared reply for its host; "" never replies.
struct TestNet : public Net {
  bool open(const Endpoint& endpoint, uint32_t) override {
    opened.push_back(std::string(endpoint.host) + ":" + std::to_string(endpoint.port));
    last = endpoint;
    request.clear();
    at = 0;
    current_fault = fault_next;
    if (current_fault != NetFault::None) {
      state_now = NetState::Failed;
      return !fail_at_once;
    }
    auto& queue = replies[endpoint.host];
    reply = queue.empty() ? std::string() : queue.front();
    const auto found = servers.find(endpoint.host);
    server = found == servers.end() ? nullptr : found->second;
    if (server) reply.clear();
    if (queue.size() > 1 || !repeat) {
      if (!queue.empty()) queue.pop_front();
    }
    state_now = NetState::Open;
    return true;
  }
  NetState state() override {
    return state_now == NetState::Open && ends && at == reply.size() && !reply.empty() &&
                   request.find("\r\n\r\n") != std::string::npos
               ? NetState::Closed
               : state_now;
  }
  NetFault fault() override { return current_fault; }
  size_t send(const void* bytes, size_t size) override {
    if (size > take) size = take;
    if (budget == 0) {
      budget = take * 3;
      return 0;
    }
    if (size > budget) size = budget;
    budget -= size;
    const bool answered = request.find("\r\n\r\n") != std::string::npos && at == reply.size();
    if (server && answered) request.clear();  // the next one on the same connection
    request.append(static_cast<const char*>(bytes), size);
    if (request.size() >= 4 && request.compare(request.size() - 4, 4, "\r\n\r\n") == 0) {
      requests.push_back(request);
      if (server) reply = server(request), at = 0;
    }
    return size;
  }
  size_t receive(void* bytes, size_t capacity) override {
    if (request.find("\r\n\r\n") == std::string::npos) return 0;
    size_t size = reply.size() - at;
    if (size > capacity) size = capacity;
    if (size > give) size = give;
    reply.copy(static_cast<char*>(bytes), size, at);
    at += size;
    return size;
  }
  void close() override { state_now = NetState::Idle; }
  std::map<std::string, std::deque<std::string>> replies;
  /// Hosts that keep their connections, and answer each request by what it asks for.
  std::map<std::string, std::function<std::string(const std::string&)>> servers;
  std::function<std::string(const std::string&)> server;
  std::vector<std::string> opened, requests;
  std::string request, reply;
  Endpoint last{};
  size_t at = 0, take = 100, give = 50, budget = 100;
  bool repeat = true, ends = true, fail_at_once = false;
  NetState state_now = NetState::Idle;
  NetFault fault_next = NetFault::None, current_fault = NetFault::None;
};

struct TestWifi : public Wifi {
  void join(const char* ssid, const char* pass, const char*) override {
    joined.push_back(std::string(ssid) + "/" + pass);
    now = good.count(ssid) != 0 && good[ssid] == pass ? WifiState::Joined
          : refuse                                    ? WifiState::Refused
                                                      : WifiState::Joining;
    current = ssid;
  }
  WifiState state() override { return now; }
  void leave() override { now = WifiState::Off; }
  void open_access_point(const char* ssid, const char* pass) override {
    setup = ssid;
    setup_pass = pass;
    now = WifiState::AccessPoint;
  }
  uint8_t scan() override {
    scans++;
    return static_cast<uint8_t>(around.size());
  }
  bool seen(uint8_t index, WifiSeen* network) override {
    if (index >= around.size()) return false;
    *network = around[index];
    return true;
  }
  int8_t rssi() override { return -55; }
  uint32_t address() override {
    return now == WifiState::Joined ? 0xc0a80114u : now == WifiState::AccessPoint ? 0xc0a80401u : 0;
  }
  std::map<std::string, std::string> good;
  std::vector<WifiSeen> around;
  std::vector<std::string> joined;
  std::string setup, setup_pass, current;
  int scans = 0;
  bool refuse = false;
  WifiState now = WifiState::Off;
};

struct TestStore : public Store {
  bool open(const char* name) override {
    if (files.count(name) == 0) return false;
    reading = files[name];
    at = 0;
    return true;
  }
  size_t read(void* bytes, size_t capacity) override {
    const size_t size = reading.copy(static_cast<char*>(bytes), capacity, at);
    at += size;
    return size;
  }
  void close() override {}
  bool create(const char* name) override {
    writing_name = name;
    writing.clear();
    return !full;
  }
  bool write(const void* bytes, size_t size) override {
    writing.append(static_cast<const char*>(bytes), size);
    return writing.size() <= most;
  }
  bool commit() override {
    files[writing_name] = writing;
    return true;
  }
  void abandon() override { abandoned++; }
  bool remove(const char* name) override { return files.erase(name) > 0; }
  std::map<std::string, std::string> files;
  std::string reading, writing, writing_name;
  size_t at = 0, most = 100000;
  bool full = false;
  int abandoned = 0;
};

struct TestPanel : public Panel {
  void configure(const PanelSetup& given) override {
    setup = given;
    configured++;
  }
  void window(uint16_t, uint16_t, uint16_t, uint16_t) override {}
  void push(const uint16_t*, size_t) override {}
  void backlight(uint8_t percent) override { light_out = percent; }
  bool has_light() override { return sensor != 255; }
  uint8_t light() override {
    light_reads++;
    return sensor;
  }
  int light_reads = 0;
  PanelSetup setup{};
  int configured = 0;
  uint8_t light_out = 0, sensor = 255;
};

struct TestEntropy : public Entropy {
  void fill(void* bytes, size_t size) override {
    for (size_t i = 0; i < size; i++) static_cast<uint8_t*>(bytes)[i] = static_cast<uint8_t>(i * 7 + 1);
  }
};

struct TestLog : public Log {
  void line(const char* text) override { lines.push_back(text); }
  std::vector<std::string> lines;
};

struct TestSystem : public System {
  const BoardInfo& board() override { return info; }
  uint32_t free_heap() override { return heap; }
  uint32_t largest_block() override { return block; }
  uint32_t free_stack() override { return 3000; }
  ResetCause reset_cause() override { return cause; }
  void restart() override { restarts++; }
  void recall(void* bytes, size_t size) override { memcpy(bytes, kept, size); }
  void keep(const void* bytes, size_t size) override { memcpy(kept, bytes, size); }
  uint8_t kept[16] = {0xa5, 0x5a, 0xff};
  bool update_begin(uint32_t size) override {
    begun = size;
    image.clear();
    return !broken;
  }
  bool update_write(const void* bytes, size_t size) override {
    image.append(static_cast<const char*>(bytes), size);
    return image.size() <= most;
  }
  bool update_end() override {
    ended++;
    return !broken_end;
  }
  void update_abandon() override { abandoned++; }
  void confirm() override { confirmed++; }
  int confirmed = 0;
  BoardInfo info{Chip::Esp32, "nm-tv-154", "1.2.3", "someone", "hearth", "nm-tv-154.update", 0xabcd1234, true, 1572864};
  uint32_t heap = 100000, block = 50000, begun = 0;
  size_t most = 10000000;
  std::string image;
  bool broken = false, broken_end = false;
  int restarts = 0, ended = 0, abandoned = 0;
  ResetCause cause = ResetCause::PowerOn;
};

struct TestPainter : public Painter {
  void rows(uint16_t y, uint16_t count, uint16_t* pixels) override {
    for (int i = 0; i < 240 * count; i++) pixels[i] = static_cast<uint16_t>(i % 240 < y ? 0xf800 : 0x07e0);
  }
};

struct Device {
  TestClock clock;
  TestNet net;
  TestWifi wifi;
  TestStore store;
  TestPanel panel;
  TestEntropy entropy;
  board::ChipHashes hashes;
  TestLog log;
  TestSystem system;
  Bytes serial;
  TestPainter painter;
  App app{Ports{clock, net, wifi, store, panel, entropy, hashes, log, system, serial, &painter}};

  /// Stores settings, makes "home" joinable and starts.
  void start(const std::string& settings = "{\"wifi\":[{\"ssid\":\"home\",\"pass\":\"password\"}]}") {
    if (!settings.empty()) store.files["settings.json"] = settings;
    wifi.good["home"] = "password";
    app.start();
  }
  void run(uint32_t ms, uint32_t step = 100) {
    for (uint32_t passed = 0; passed < ms; passed += step) {
      clock.ms += step;
      if (clock.known) clock.unix = unix_base + (clock.ms / 1000);
      app.tick();
    }
  }
  /// Sends a web request; returns the complete reply.
  std::string web(const std::string& request, size_t piece = 1000000) {
    Bytes client;
    app.web_open();
    for (size_t at = 0; at < request.size(); at += piece) {
      const std::string part = request.substr(at, piece);
      app.web_receive(reinterpret_cast<const uint8_t*>(part.data()), part.size(), client);
    }
    for (int i = 0; i < 900 && !app.web_poll(client); i++) run(100);
    app.web_closed();
    return client.text;
  }
  std::string get(const std::string& path, const std::string& more = "") {
    return web("GET " + path + " HTTP/1.1\r\nHost: 192.168.1.20\r\n" + more + "\r\n");
  }
  std::string post(const std::string& path, const std::string& body = "", const std::string& more = "",
                   size_t piece = 1000000) {
    return web("POST " + path + " HTTP/1.1\r\nHost: 192.168.1.20\r\nX-Hearth: 1\r\n" + more +
                   "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body,
               piece);
  }
  void say(const std::string& bytes, size_t piece = 1000000) {
    for (size_t at = 0; at < bytes.size(); at += piece) {
      const std::string part = bytes.substr(at, piece);
      app.serial(reinterpret_cast<const uint8_t*>(part.data()), part.size());
    }
  }
  int64_t unix_base = 1700000000;
};

inline std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
inline std::string status_of(const std::string& reply) { return reply.substr(9, 3); }
inline std::string body_of(const std::string& reply) { return reply.substr(reply.find("\r\n\r\n") + 4); }

}  // namespace device

// What the stories of a board share.
#pragma once
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <string>

#include "fakes/arduino/world.h"
#include "profile.h"
#include "update_file.h"

namespace stories {

using fake::Cause;
using fake::kept;
using fake::live;
using fake::servers;
using fake::Visitor;

constexpr uint64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr uint32_t kIdleMs = 250;
constexpr bool kEsp8266 = board::kBoard.chip == hearth::Chip::Esp8266;
#if defined(HEARTH_LOADER)
constexpr bool kLoader = true;
#else
constexpr bool kLoader = false;
#endif
constexpr char kHome[] =
    R"({"wifi":[{"ssid":"home","pass":"password"}],"autoBrightness":true,"ticker":{"pollSec":300,"rotateSec":600,)"
    R"("webhookUrl":"http://hub.home/hook","symbols":[{"symbol":"A"},{"symbol":"B","source":"webhook"}]},)"
    R"("clock":{"nightEnabled":true,"nightStart":"22:00","nightEnd":"06:00","nightLevel":5}})";

inline std::string reply(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline void put_file(const char* name, const std::string& text) {
  fake::KeptFile& file = kept().files[0];
  snprintf(file.name, sizeof file.name, "/%s", name);
  memcpy(file.bytes, text.data(), text.size());
  file.size = static_cast<uint32_t>(text.size());
}

inline void new_device(const std::string& settings) {
  memset(static_cast<void*>(&kept()), 0, sizeof kept());
  kept().us = 1000000;
  fake::router = fake::Router();
  fake::memory = fake::Memory();
  servers.clear();
  servers["query1.finance.yahoo.com"].reply = [](const std::string&) {
    return reply(R"({"chart":{"result":[{"meta":{"regularMarketPrice":5,"previousClose":4,"currency":"USD"}}]}})");
  };
  servers["query2.finance.yahoo.com"].known = false;
  servers["hub.home"].reply = [](const std::string&) { return reply(R"({"price":7})"); };
  if (!settings.empty()) put_file("settings.json", settings);
}

inline std::string request(const std::string& method, const std::string& path, const std::string& body = "",
                           const char* host = "192.168.1.20") {
  return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nX-Hearth: 1\r\n" +
         (method == "POST" ? "Content-Length: " + std::to_string(body.size()) + "\r\n" : "") + "\r\n" + body;
}

inline std::string update(const char* version = "9.0.0", size_t size = 200000) {
  static const uint16_t kChips[] = {0xffff, 0, 12, 5};
  return device::update_file(board::kBoard.tag, kChips[static_cast<size_t>(board::kBoard.chip)], size, version);
}

/// Lives on through restarts until the end; crashes break the story.
inline void live_through(uint64_t until_ms, uint32_t idle_ms, const std::function<void(uint64_t)>& story) {
  while (!live(until_ms, idle_ms, story)) fake::expect(kept().crash[0] == 0, kept().crash);
}

/// The newest release, with the memory of both heaps of an ESP8266.
void own_update();
/// A week among leaving browsers, a hotel's login page, new passwords, radar and watchdog bites.
void week();

}  // namespace stories

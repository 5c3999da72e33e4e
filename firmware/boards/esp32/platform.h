// ESP32 names for platform functions that all boards use.
#pragma once
#include <Arduino.h>
#include <new>
#include <ESPmDNS.h>
#include <NetworkClientSecure.h>
#include <WiFi.h>
#include <esp_sntp.h>

namespace board {

using PlainClient = NetworkClient;
using SecureClient = NetworkClientSecure;
constexpr wifi_auth_mode_t kOpenNetwork = WIFI_AUTH_OPEN;

/// These chips report a wrong password as a failed connection.
inline bool was_refused(int) { return false; }
inline void turn_mdns() {}
inline void ask_time_servers(const char* first, const char* second, void (*callback)()) {
  static void (*on_sync)();
  on_sync = callback;
  sntp_set_time_sync_notification_cb([](struct timeval*) { on_sync(); });
  configTime(0, 0, first, second);
}
inline void stop_time_servers() { esp_sntp_stop(); }

}  // namespace board

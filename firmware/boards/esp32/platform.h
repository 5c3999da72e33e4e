// ESP32 names for platform functions that all boards use.
#pragma once
#include <Arduino.h>
#include <new>
#include <ESPmDNS.h>
#include <NetworkClientSecure.h>
#include <WiFi.h>
#include <esp_sntp.h>
#include <esp_task_wdt.h>

namespace board {

using PlainClient = NetworkClient;
using SecureClient = NetworkClientSecure;
constexpr wifi_auth_mode_t kOpenNetwork = WIFI_AUTH_OPEN;

inline void feed_watchdog() { esp_task_wdt_reset(); }
/// Takes its own time: the core offers no limit.
inline bool find_address(const char* host, uint32_t, IPAddress* address) {
  return WiFi.hostByName(host, *address) == 1;
}
/// `setTimeout` of these clients has no effect: it sets a member of Stream that NetworkClient hides.
inline void limit_writes(PlainClient& client, uint32_t ms) { client.setConnectionTimeout(ms); }
inline bool connect_plain(PlainClient& client, const IPAddress& address, uint16_t port, uint32_t timeout_ms) {
  return client.connect(address, port, static_cast<int32_t>(timeout_ms)) == 1;
}
/// The name is taken over when the interface starts, so it comes first.
inline void start_stack(const char* name) {
  WiFi.setHostname(name);
  WiFi.mode(WIFI_STA);
}
inline void name_station(const char* name) {
  if (strcmp(WiFi.getHostname(), name) == 0) return;
  WiFi.mode(WIFI_MODE_NULL);
  start_stack(name);
}

/// A wrong password ends as a time-out of the key exchange, which only the event names; the status says "disconnected".
inline volatile uint8_t refusals = 0;
constexpr uint8_t kSureRefusals = 2;  // one may be a weak signal; the core tries again by itself
inline void watch_refusals() {
  WiFi.onEvent(
      [](arduino_event_id_t, arduino_event_info_t info) {
        const uint8_t reason = info.wifi_sta_disconnected.reason;
        const bool wrong = reason == WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT || reason == WIFI_REASON_AUTH_FAIL ||
                           reason == WIFI_REASON_HANDSHAKE_TIMEOUT;
        if (wrong && refusals < kSureRefusals) refusals = static_cast<uint8_t>(refusals + 1);
      },
      ARDUINO_EVENT_WIFI_STA_DISCONNECTED);
}
inline void forget_refusals() { refusals = 0; }
inline bool was_refused(int) { return refusals == kSureRefusals; }
inline void turn_mdns() {}
inline void ask_time_servers(const char* first, const char* second, void (*callback)()) {
  static void (*on_sync)();
  on_sync = callback;
  sntp_set_time_sync_notification_cb([](struct timeval*) { on_sync(); });
  configTime(0, 0, first, second);
}
inline void stop_time_servers() { esp_sntp_stop(); }

}  // namespace board

// ESP8266 names for platform functions that all boards use.
#pragma once
#include <Arduino.h>
#include <new>
#include <ESP8266WiFi.h>
#include <ESP8266mDNS.h>
#include <WiFiClientSecure.h>
#include <coredecls.h>
#include <sntp.h>

namespace board {

using PlainClient = WiFiClient;
using SecureClient = BearSSL::WiFiClientSecure;
constexpr uint8_t kOpenNetwork = ENC_TYPE_NONE;

inline void feed_watchdog() { ESP.wdtFeed(); }
inline bool find_address(const char* host, uint32_t timeout_ms, IPAddress* address) {
  return WiFi.hostByName(host, *address, timeout_ms) == 1;
}
/// For each stuck write; the core's default of 5 s would hold the loop.
inline void limit_writes(PlainClient& client, uint32_t ms) { client.setTimeout(ms); }
inline bool connect_plain(PlainClient& client, const IPAddress& address, uint16_t port, uint32_t timeout_ms) {
  client.setTimeout(timeout_ms);
  return client.connect(address, port) == 1;
}
inline void start_stack(const char*) { WiFi.mode(WIFI_STA); }
/// The name holds for the next DHCP request, in any mode.
inline void name_station(const char* name) { WiFi.setHostname(name); }
inline void watch_refusals() {}
inline void forget_refusals() {}
inline bool was_refused(int status) { return status == WL_WRONG_PASSWORD; }
inline void turn_mdns() { MDNS.update(); }
inline void ask_time_servers(const char* first, const char* second, void (*callback)()) {
  settimeofday_cb(callback);
  configTime(0, 0, first, second);
}
inline void stop_time_servers() { sntp_stop(); }

}  // namespace board

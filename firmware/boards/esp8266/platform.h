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

inline bool was_refused(int status) { return status == WL_WRONG_PASSWORD; }
inline void turn_mdns() { MDNS.update(); }
inline void ask_time_servers(const char* first, const char* second, void (*callback)()) {
  settimeofday_cb(callback);
  configTime(0, 0, first, second);
}
inline void stop_time_servers() { sntp_stop(); }

}  // namespace board

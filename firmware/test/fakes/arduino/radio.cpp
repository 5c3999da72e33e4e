// The radio of both cores: modes, joining, scanning, the setup network, names, time servers.
#include <stdio.h>
#include <string.h>

#include "platform.h"
#include "world.h"
#include <DNSServer.h>

namespace {

constexpr uint32_t kWrongPassMs = 4000;  // until the key exchange is given up
constexpr uint32_t kScanMs = 2500;
constexpr uint32_t kTimeReplyMs = 500;

struct Station {
  bool on = false, wanted = false, joined = false, access_point = false, refused = false;
  std::string ssid, pass, name = "esp-default";
  uint64_t since_ms = 0;  // of this attempt
  uint64_t asked_time_ms = 0;
  void (*on_time)() = nullptr;
} station;

#if defined(ESP32)
void (*on_disconnect)(arduino_event_id_t, arduino_event_info_t) = nullptr;
void (*on_sync)(struct timeval*) = nullptr;
#endif

void give_up() {
  station.refused = true;
  station.since_ms = fake::now_ms();
#if defined(ESP32)
  arduino_event_info_t info = {};
  info.wifi_sta_disconnected.reason = WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT;
  if (on_disconnect != nullptr) on_disconnect(ARDUINO_EVENT_WIFI_STA_DISCONNECTED, info);
#endif
}

void start_station() {
  if (station.on) return;
  station.on = true;
  snprintf(fake::kept().dhcp_name, sizeof fake::kept().dhcp_name, "%s", station.name.c_str());
}

void stop_station() { station.on = station.wanted = station.joined = false; }

bool begin(const char* ssid, const char* pass) {
  start_station();
  station.wanted = true;
  station.joined = station.refused = false;
  station.ssid = ssid;
  station.pass = pass == nullptr ? "" : pass;
  station.since_ms = fake::now_ms();
  return true;
}

}  // namespace

namespace fake {

void forget_radio() { station = Station(); }
bool station_joined() { return station.joined; }
bool setup_network_is_open() { return station.access_point; }
bool network_stack_is_up() {
#if defined(ESP32)
  return station.on || station.access_point;
#else
  return true;  // lwIP is started before `setup`
#endif
}

/// The cores join again by themselves after a loss.
void radio_passes() {
  if (station.joined && !router.up) {
    station.joined = false;
    station.since_ms = now_ms();
  }
  if (!station.wanted || station.joined || station.ssid != router.ssid || !router.up) {
    if (station.wanted && !station.joined) station.since_ms = router.up ? station.since_ms : now_ms();
  } else if (station.pass != router.pass) {
    if (now_ms() - station.since_ms >= kWrongPassMs) give_up();
  } else if (now_ms() - station.since_ms >= router.join_ms) {
    station.joined = true;
  }
  if (station.asked_time_ms != 0 && station.joined && now_ms() >= station.asked_time_ms + kTimeReplyMs) {
    station.asked_time_ms = 0;
    if (station.on_time != nullptr) station.on_time();
#if defined(ESP32)
    if (on_sync != nullptr) on_sync(nullptr);
#endif
  }
}

}  // namespace fake

void configTime(int, int, const char*, const char*, const char*) { station.asked_time_ms = fake::now_ms(); }

#if defined(ESP8266)
ESP8266WiFiClass WiFi;
using Wifi = ESP8266WiFiClass;
using Mode = WiFiMode_t;
void settimeofday_cb(void (*answered)()) { station.on_time = answered; }
extern "C" void sntp_stop(void) { station.asked_time_ms = 0; }
wl_status_t Wifi::status() {
  if (station.joined) return WL_CONNECTED;
  return station.refused ? WL_WRONG_PASSWORD : station.wanted ? WL_DISCONNECTED : WL_IDLE_STATUS;
}
bool Wifi::disconnect(bool) {
  station.wanted = station.joined = false;
  return true;
}
bool Wifi::setHostname(const char* name) {
  station.name = name;
  snprintf(fake::kept().dhcp_name, sizeof fake::kept().dhcp_name, "%s", name);
  return true;
}
int8_t Wifi::scanNetworks() {
  fake::pass(kScanMs);
  return fake::router.up ? 1 : 0;
}
int32_t Wifi::RSSI() { return -50; }
uint8_t Wifi::encryptionType(uint8_t) { return ENC_TYPE_CCMP; }
int Wifi::hostByName(const char* host, IPAddress& address, uint32_t timeout_ms) {
#else
WiFiClass WiFi;
using Wifi = WiFiClass;
using Mode = wifi_mode_t;
extern "C" void sntp_set_time_sync_notification_cb(void (*callback)(struct timeval*)) { on_sync = callback; }
extern "C" void esp_sntp_stop(void) { station.asked_time_ms = 0; }
wl_status_t Wifi::status() { return station.joined ? WL_CONNECTED : station.wanted ? WL_DISCONNECTED : WL_STOPPED; }
bool Wifi::disconnect(bool, bool, unsigned long) {
  station.wanted = station.joined = false;
  return true;
}
bool Wifi::setHostname(const char* name) {
  if (station.on) fake::crash("setHostname after mode: the router keeps the old name");
  station.name = name;
  return true;
}
const char* Wifi::getHostname() { return station.name.c_str(); }
size_t Wifi::onEvent(void (*callback)(arduino_event_id_t, arduino_event_info_t), arduino_event_id_t) {
  on_disconnect = callback;
  return 1;
}
int16_t Wifi::scanNetworks() {
  if (!station.on) fake::crash("a scan without the station");
  fake::pass(kScanMs);
  return fake::router.up ? 1 : 0;
}
int8_t Wifi::RSSI() { return -50; }
wifi_auth_mode_t Wifi::encryptionType(uint8_t) { return WIFI_AUTH_WPA2_PSK; }
int Wifi::hostByName(const char* host, IPAddress& address) {
  constexpr uint32_t timeout_ms = 20000;  // two servers, each asked four times
#endif
  const auto found = fake::servers.find(host);
  const bool served = found != fake::servers.end() && found->second.known;
  const bool reachable = station.joined && (served || fake::router.captive);
  const uint32_t ms = !reachable ? timeout_ms : served ? found->second.name_ms : 20;
  fake::pass(ms < timeout_ms ? ms : timeout_ms);
  if (!reachable || ms > timeout_ms) return 0;
  const auto index = served ? std::distance(fake::servers.begin(), found) : 0;
  address = IPAddress(10, 0, 0, static_cast<uint8_t>(index));
  return 1;
}

void Wifi::persistent(bool) {}
bool Wifi::setAutoReconnect(bool) { return true; }
bool Wifi::mode(Mode mode) {
  station.access_point = (mode & 2) != 0;
  if ((mode & 1) != 0)
    start_station();
  else
    stop_station();
  return true;
}
wl_status_t Wifi::begin(const char* ssid, const char* pass) {
  ::begin(ssid, pass);
  return status();
}
bool Wifi::softAP(const char*, const char* pass) {
  snprintf(fake::kept().setup_pass, sizeof fake::kept().setup_pass, "%s", pass == nullptr ? "" : pass);
  return station.access_point;
}
bool Wifi::softAPConfig(IPAddress, IPAddress, IPAddress) { return true; }
bool Wifi::softAPdisconnect(bool) {
  station.access_point = false;
  return true;
}
IPAddress Wifi::softAPIP() { return IPAddress(192, 168, 4, 1); }
IPAddress Wifi::localIP() { return station.joined ? IPAddress(192, 168, 1, 20) : IPAddress(); }
String Wifi::SSID(uint8_t) const {
  String name;
  snprintf(name.text, sizeof name.text, "%s", fake::router.ssid.c_str());
  return name;
}
int32_t Wifi::RSSI(uint8_t) { return -50; }

bool DNSServer::start(uint16_t, const String&, const IPAddress&) { return true; }
bool DNSServer::start(uint16_t, const char*, const IPAddress&) {
  if (!fake::network_stack_is_up()) fake::crash("a name server without a network");
  return true;
}
void DNSServer::processNextRequest() {}
void DNSServer::stop() {}
MdnsResponder MDNS;
bool MdnsResponder::begin(const char*) { return station.joined; }
bool MdnsResponder::addService(const char*, const char*, uint16_t) { return true; }
#if defined(ESP8266)
bool MdnsResponder::update() { return true; }
#endif

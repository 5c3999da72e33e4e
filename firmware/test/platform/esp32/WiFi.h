#pragma once
#include "wifi_common.h"
typedef enum {
  WL_NO_SHIELD = 255,
  WL_STOPPED = 254,
  WL_IDLE_STATUS = 0,
  WL_NO_SSID_AVAIL = 1,
  WL_SCAN_COMPLETED = 2,
  WL_CONNECTED = 3,
  WL_CONNECT_FAILED = 4,
  WL_CONNECTION_LOST = 5,
  WL_DISCONNECTED = 6
} wl_status_t;
typedef enum { WIFI_AUTH_OPEN = 0, WIFI_AUTH_WEP, WIFI_AUTH_WPA_PSK, WIFI_AUTH_WPA2_PSK } wifi_auth_mode_t;
typedef enum { WIFI_MODE_NULL = 0, WIFI_MODE_STA, WIFI_MODE_AP, WIFI_MODE_APSTA } wifi_mode_t;
#define WIFI_STA WIFI_MODE_STA
#define WIFI_AP_STA WIFI_MODE_APSTA
typedef enum { ARDUINO_EVENT_WIFI_STA_DISCONNECTED = 5 } arduino_event_id_t;
typedef union {
  struct {
    uint8_t reason;
  } wifi_sta_disconnected;
} arduino_event_info_t;
enum { WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT = 15, WIFI_REASON_AUTH_FAIL = 202, WIFI_REASON_HANDSHAKE_TIMEOUT = 204 };
class NetworkClient : public Client {
 public:
  int connect(IPAddress address, uint16_t port) override;
  int connect(const char* host, uint16_t port) override;
  int connect(IPAddress address, uint16_t port, int32_t timeout_ms);
  void setConnectionTimeout(uint32_t ms);
  size_t write(const uint8_t* bytes, size_t size) override;
  int available() override;
  int read() override;
  int read(uint8_t* bytes, size_t size) override;
  void stop();
  uint8_t connected() override;
  operator bool() override;
  virtual ~NetworkClient();
  int socket = -1;
  int limit_ms = 3000;
};
typedef NetworkClient WiFiClient;
class NetworkServer {
 public:
  explicit NetworkServer(uint16_t port);
  NetworkClient accept();
  void begin(uint16_t port = 0);
};
typedef NetworkServer WiFiServer;
class WiFiClass {
 public:
  void persistent(bool persistent);
  bool setAutoReconnect(bool on);
  bool mode(wifi_mode_t mode);
  static bool setHostname(const char* name);
  static const char* getHostname();
  /// The core takes a std::function, too.
  size_t onEvent(void (*callback)(arduino_event_id_t, arduino_event_info_t), arduino_event_id_t id);
  wl_status_t begin(const char* ssid, const char* pass = nullptr);
  wl_status_t status();
  bool disconnect(bool off = false, bool erase = false, unsigned long wait_ms = 0);
  bool softAP(const char* ssid, const char* pass = nullptr);
  bool softAPConfig(IPAddress own, IPAddress gateway, IPAddress mask);
  bool softAPdisconnect(bool off = false);
  IPAddress softAPIP();
  IPAddress localIP();
  int16_t scanNetworks();
  String SSID(uint8_t index) const;
  int32_t RSSI(uint8_t index);
  int8_t RSSI();
  wifi_auth_mode_t encryptionType(uint8_t index);
  int hostByName(const char* host, IPAddress& address);
};
extern WiFiClass WiFi;

#pragma once
#include "wifi_common.h"
typedef enum {
  WL_NO_SHIELD = 255,
  WL_IDLE_STATUS = 0,
  WL_NO_SSID_AVAIL = 1,
  WL_SCAN_COMPLETED = 2,
  WL_CONNECTED = 3,
  WL_CONNECT_FAILED = 4,
  WL_CONNECTION_LOST = 5,
  WL_WRONG_PASSWORD = 6,
  WL_DISCONNECTED = 7
} wl_status_t;
enum wl_enc_type { ENC_TYPE_WEP = 5, ENC_TYPE_TKIP = 2, ENC_TYPE_CCMP = 4, ENC_TYPE_NONE = 7, ENC_TYPE_AUTO = 8 };
typedef enum { WIFI_OFF = 0, WIFI_STA = 1, WIFI_AP = 2, WIFI_AP_STA = 3 } WiFiMode_t;
class WiFiClient : public Client {
 public:
  int connect(IPAddress address, uint16_t port) override;
  int connect(const char* host, uint16_t port) override;
  size_t write(const uint8_t* bytes, size_t size) override;
  int available() override;
  int read() override;
  int read(uint8_t* bytes, size_t size) override;
  virtual bool stop(unsigned int wait_ms);
  void stop();
  uint8_t connected() override;
  operator bool() override;
  virtual ~WiFiClient();
  int socket = -1;
};
class WiFiServer {
 public:
  explicit WiFiServer(uint16_t port);
  WiFiClient accept();
  void begin();
};
class ESP8266WiFiClass {
 public:
  void persistent(bool persistent);
  bool setAutoReconnect(bool on);
  bool mode(WiFiMode_t mode);
  bool setHostname(const char* name);
  wl_status_t begin(const char* ssid, const char* pass = nullptr);
  wl_status_t status();
  bool disconnect(bool off = false);
  bool softAP(const char* ssid, const char* pass = nullptr);
  bool softAPConfig(IPAddress own, IPAddress gateway, IPAddress mask);
  bool softAPdisconnect(bool off = false);
  IPAddress softAPIP();
  IPAddress localIP();
  int8_t scanNetworks();
  String SSID(uint8_t index) const;
  int32_t RSSI(uint8_t index);
  int32_t RSSI();
  uint8_t encryptionType(uint8_t index);
  int hostByName(const char* host, IPAddress& address, uint32_t timeout_ms);
};
extern ESP8266WiFiClass WiFi;

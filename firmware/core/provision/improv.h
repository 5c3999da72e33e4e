// Improv Wi-Fi over serial (improv-wifi.com/serial), version 1: packets
//   "IMPROV" | version | type | length | data | checksum (low byte of the sum of all before) , and a line end after it.
#pragma once
#include "port.h"

namespace hearth {

constexpr uint8_t kImprovVersion = 1;
constexpr uint8_t kImprovData = 128;  ///< maximum data size; Wi-Fi settings need at most 100

enum class ImprovType : uint8_t { State = 1, Error = 2, Command = 3, Result = 4 };
enum class ImprovState : uint8_t { Ready = 2, Provisioning = 3, Provisioned = 4 };
enum class ImprovError : uint8_t { None = 0, InvalidPacket = 1, UnknownCommand = 2, CannotConnect = 3, Unknown = 0xff };
enum class ImprovCommand : uint8_t { WifiSettings = 1, RequestState = 2, DeviceInfo = 3, Scan = 4 };

enum class ImprovEvent : uint8_t {
  Nothing,
  Command,  ///< `command` and `data` hold a whole, right packet
  Bad,      ///< wrong checksum, version or lengths: answer InvalidPacket
};

class ImprovReceiver {
 public:
  ImprovEvent push(uint8_t byte);
  void reset() { at_ = 0; }
  /// Whether the letters "IMPROV" have been read.
  bool active() const { return at_ >= 6; }
  ImprovCommand command() const { return static_cast<ImprovCommand>(data_[0]); }
  /// Splits the data of WifiSettings into NUL-terminated texts. Returns false if lengths do not fit.
  bool wifi_settings(char ssid[33], char pass[65]) const;

 private:
  uint16_t at_ = 0;
  uint8_t sum_ = 0;
  uint8_t version_ = 0;
  uint8_t type_ = 0;
  uint8_t length_ = 0;
  uint8_t data_[kImprovData] = {};
};

/// Writes State or Error packets.
void improv_send(ByteSink& out, ImprovType type, uint8_t value);
/// Writes the Result of a command: up to 8 texts (each at most 63 bytes, together at most 250). An empty Result ends a
/// scan.
void improv_result(ByteSink& out, ImprovCommand command, const char* const* texts, uint8_t count);

}  // namespace hearth

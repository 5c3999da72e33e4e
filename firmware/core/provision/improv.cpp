#include "provision/improv.h"

#include <string.h>

namespace hearth {
namespace {

constexpr char kHeader[] = "IMPROV";

/// Computes the checksum while writing.
class Packet {
 public:
  Packet(ByteSink& out, ImprovType type, uint8_t length) : out_(out) {
    for (int i = 0; i < 6; i++) byte(static_cast<uint8_t>(kHeader[i]));
    byte(kImprovVersion);
    byte(static_cast<uint8_t>(type));
    byte(length);
  }
  void byte(uint8_t value) {
    sum_ = static_cast<uint8_t>(sum_ + value);
    out_.write(&value, 1);
  }
  void end() {
    byte(sum_);
    byte('\n');
  }

 private:
  ByteSink& out_;
  uint8_t sum_ = 0;
};

}  // namespace

ImprovEvent ImprovReceiver::push(uint8_t byte) {
  if (at_ < 6) {
    if (byte == static_cast<uint8_t>(kHeader[at_])) {
      sum_ = static_cast<uint8_t>(at_ == 0 ? byte : sum_ + byte);
      at_++;
    } else {
      at_ = byte == 'I' ? 1 : 0;
      sum_ = byte;
    }
    return ImprovEvent::Nothing;
  }
  const uint16_t end = static_cast<uint16_t>(9 + length_);
  if (at_ >= 9 && at_ == end) {
    at_ = 0;
    if (byte != sum_) return ImprovEvent::Bad;
    if (type_ != static_cast<uint8_t>(ImprovType::Command))
      return ImprovEvent::Nothing;  // an echo of the device's own packets
    if (version_ != kImprovVersion || length_ > kImprovData || length_ < 2 || data_[1] != length_ - 2)
      return ImprovEvent::Bad;
    return ImprovEvent::Command;
  }
  sum_ = static_cast<uint8_t>(sum_ + byte);
  if (at_ == 6) version_ = byte;
  if (at_ == 7) type_ = byte;
  if (at_ == 8) length_ = byte;
  if (at_ >= 9 && at_ - 9 < kImprovData) data_[at_ - 9] = byte;
  at_++;
  return ImprovEvent::Nothing;
}

bool ImprovReceiver::wifi_settings(char ssid[33], char pass[65]) const {
  const uint8_t size = data_[1];
  if (size < 2) return false;
  const uint8_t* at = data_ + 2;
  const uint8_t ssid_size = at[0];
  if (ssid_size == 0 || ssid_size > 32 || 2 + ssid_size > size) return false;
  const uint8_t pass_size = at[1 + ssid_size];
  if (pass_size > 64 || 2 + ssid_size + pass_size != size) return false;
  memcpy(ssid, at + 1, ssid_size);
  ssid[ssid_size] = 0;
  memcpy(pass, at + 2 + ssid_size, pass_size);
  pass[pass_size] = 0;
  return strlen(ssid) == ssid_size && strlen(pass) == pass_size;
}

void improv_send(ByteSink& out, ImprovType type, uint8_t value) {
  Packet packet(out, type, 1);
  packet.byte(value);
  packet.end();
}

void improv_result(ByteSink& out, ImprovCommand command, const char* const* texts, uint8_t count) {
  uint8_t size = 0;
  for (uint8_t i = 0; i < count; i++) size = static_cast<uint8_t>(size + 1 + strlen(texts[i]));
  Packet packet(out, ImprovType::Result, static_cast<uint8_t>(size + 2));
  packet.byte(static_cast<uint8_t>(command));
  packet.byte(size);
  for (uint8_t i = 0; i < count; i++) {
    packet.byte(static_cast<uint8_t>(strlen(texts[i])));
    for (const char* at = texts[i]; *at != 0; at++) packet.byte(static_cast<uint8_t>(*at));
  }
  packet.end();
}

}  // namespace hearth

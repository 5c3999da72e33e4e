// The link protocol on the serial line (PROTOCOL.md). Frames: A5 5A | type | sequence | length, 2 bytes | payload |
// CRC-32, 4 bytes. Numbers are little endian; the CRC covers type to payload.
#pragma once
#include "port.h"

namespace hearth {

constexpr uint8_t kLinkMagic[2] = {0xa5, 0x5a};
constexpr uint16_t kLinkPayload = 16384;   ///< longest payload
constexpr uint32_t kLinkSilenceMs = 2000;  ///< an incomplete frame is dropped after this time
constexpr uint8_t kLinkReply = 0x80;       ///< set in the type of replies

enum class LinkType : uint8_t {
  Info = 1,
  Get = 2,
  Set = 3,
  Refresh = 4,
  Screen = 5,
  Log = 6,
  Reboot = 7,
  Factory = 8,
  Error = 0x7f
};

enum class LinkEvent : uint8_t {
  Nothing,
  Begin,    ///< type, sequence and length are known
  Payload,  ///< one byte of payload
  Good,     ///< the frame is complete and its CRC is correct
  Bad,      ///< wrong CRC or too long: drop the payload
};

class LinkReceiver {
 public:
  LinkEvent push(uint8_t byte);
  /// Drops an incomplete frame.
  void reset() { state_ = 0; }
  bool active() const { return state_ >= 2; }
  LinkType type() const { return static_cast<LinkType>(head_[0]); }
  uint8_t sequence() const { return head_[1]; }
  uint16_t length() const { return static_cast<uint16_t>(head_[2] | head_[3] << 8); }

 private:
  uint8_t state_ = 0;  // 0, 1: magic; 2..5: head; 6: payload; 7..10: CRC
  uint8_t head_[4] = {};
  uint16_t left_ = 0;
  uint32_t crc_ = 0;
  uint32_t received_ = 0;
};

/// Writes one frame with a streamed payload: `begin` with its exact length, then the bytes, then `end`.
class LinkWriter : public ByteSink {
 public:
  explicit LinkWriter(ByteSink& out) : out_(out) {}
  void begin(uint8_t type, uint8_t sequence, uint16_t length);
  bool write(const void* bytes, size_t size) override;
  void end();

 private:
  ByteSink& out_;
  uint32_t crc_ = 0;
};

}  // namespace hearth

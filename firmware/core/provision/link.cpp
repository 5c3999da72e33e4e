#include "provision/link.h"

#include "provision/crc32.h"

namespace hearth {

LinkEvent LinkReceiver::push(uint8_t byte) {
  if (state_ == 0) {
    state_ = byte == kLinkMagic[0] ? 1 : 0;
    return LinkEvent::Nothing;
  }
  if (state_ == 1) {
    state_ = byte == kLinkMagic[1] ? 2 : byte == kLinkMagic[0] ? 1 : 0;
    crc_ = 0;
    return LinkEvent::Nothing;
  }
  if (state_ <= 5) {
    head_[state_++ - 2] = byte;
    crc_ = crc32(crc_, &byte, 1);
    if (state_ < 6) return LinkEvent::Nothing;
    left_ = length();
    received_ = 0;
    if (left_ > kLinkPayload) {
      state_ = 0;
      return LinkEvent::Bad;
    }
    if (left_ == 0) state_ = 7;
    return LinkEvent::Begin;
  }
  if (state_ == 6) {
    crc_ = crc32(crc_, &byte, 1);
    if (--left_ == 0) state_ = 7;
    return LinkEvent::Payload;
  }
  received_ |= static_cast<uint32_t>(byte) << (8 * (state_ - 7));
  if (++state_ <= 10) return LinkEvent::Nothing;
  state_ = 0;
  return received_ == crc_ ? LinkEvent::Good : LinkEvent::Bad;
}

void LinkWriter::begin(uint8_t type, uint8_t sequence, uint16_t length) {
  const uint8_t head[6] = {
      kLinkMagic[0], kLinkMagic[1], type, sequence, static_cast<uint8_t>(length), static_cast<uint8_t>(length >> 8)};
  crc_ = crc32(0, head + 2, 4);
  out_.write(head, sizeof head);
}

bool LinkWriter::write(const void* bytes, size_t size) {
  crc_ = crc32(crc_, bytes, size);
  return out_.write(bytes, size);
}

void LinkWriter::end() {
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = static_cast<uint8_t>(crc_ >> (8 * i));
  out_.write(bytes, sizeof bytes);
}

}  // namespace hearth

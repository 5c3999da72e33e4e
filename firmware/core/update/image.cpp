#include "update/image.h"

#include <string.h>

#include "update/release.h"

namespace hearth {
namespace {

constexpr char kMagic[] = "HEARTHUP";
constexpr uint16_t kChipIds[] = {0xffff, 0, 12, 5};  // by Chip; Espressif's esp_chip_id_t
constexpr uint8_t kImageMagic = 0xe9;

uint16_t word(const uint8_t* at) { return static_cast<uint16_t>(at[0] | at[1] << 8); }
uint32_t dword(const uint8_t* at) { return word(at) | static_cast<uint32_t>(word(at + 2)) << 16; }

}  // namespace

const char* update_fault_code(UpdateFault fault) {
  switch (fault) {
    case UpdateFault::None:
      return "";
    case UpdateFault::NotAnUpdate:
      return "not_an_update";
    case UpdateFault::OtherChip:
      return "other_chip";
    case UpdateFault::OtherBoard:
      return "other_board";
    case UpdateFault::TooLarge:
      return "too_large";
    case UpdateFault::NotSigned:
      return "not_signed";
    case UpdateFault::Older:
      return "older";
    case UpdateFault::Damaged:
      return "damaged";
    default:
      return "not_stored";
  }
}

const char* update_fault_text(UpdateFault fault) {
  switch (fault) {
    case UpdateFault::None:
      return "";
    case UpdateFault::NotAnUpdate:
      return "This is not an update file of this firmware. Choose the file whose name ends in .update.";
    case UpdateFault::OtherChip:
      return "This update is for another chip. Nothing was changed.";
    case UpdateFault::OtherBoard:
      return "This update is for another board. Nothing was changed.";
    case UpdateFault::TooLarge:
      return "This update does not fit into the flash memory of this board. Nothing was changed.";
    case UpdateFault::NotSigned:
      return "This update is not signed by the makers of this firmware. Nothing was changed.";
    case UpdateFault::Older:
      return "This update is older than the firmware of this device. Nothing was changed.";
    case UpdateFault::Damaged:
      return "The update file is damaged or cut off. The old firmware stays. Download it again.";
    default:
      return "The flash memory could not be written. The old firmware stays.";
  }
}

void UpdateWriter::start(System& system, Hashes& hashes, bool older) {
  *this = UpdateWriter();
  older_ = older;
  system_ = &system;
  hashes_ = &hashes;
}

uint8_t UpdateWriter::progress() const {
  return static_cast<uint8_t>(size_ == 0 ? 0 : static_cast<uint64_t>(written_) * 100 / size_);
}

UpdateFault UpdateWriter::check_head() const {
  const BoardInfo& board = system_->board();
  if (memcmp(head_, kMagic, 8) != 0 || (word(head_ + 10) != 1 && !is_version_two())) return UpdateFault::NotAnUpdate;
  const uint16_t chip = kChipIds[static_cast<uint8_t>(board.chip)];
  if (word(head_ + 8) != chip) return UpdateFault::OtherChip;
  const char* tag = reinterpret_cast<const char*>(head_) + 48;
  if (tag[31] != 0 || strcmp(tag, board.board) != 0) return UpdateFault::OtherBoard;
  const uint32_t size = dword(head_ + 12);
  if (size > board.slot_bytes) return UpdateFault::TooLarge;
  if (size < kLeastImage || head_[95] != 0) return UpdateFault::Damaged;
  const uint8_t* image = head_ + image_at();
  if (image[0] != kImageMagic || image[1] == 0 || image[1] > 16) return UpdateFault::Damaged;  // 1 to 16 segments
  if (board.chip != Chip::Esp8266 && word(image + 12) != chip) return UpdateFault::OtherChip;
  return UpdateFault::None;
}

/// Who made it, and whether it goes back. Before anything is erased, as everything about the head.
UpdateFault UpdateWriter::check_origin() {
  const BoardInfo& board = system_->board();
  uint8_t digest[32];
  hashes_->sha256_start();
  hashes_->sha256_add(head_, kUpdateHead);
  hashes_->sha256_finish(digest);
  bool known = board.update_key_count == 0;
  for (uint8_t i = 0; i < board.update_key_count && !known && is_version_two(); i++)
    known = hashes_->is_signed(board.update_keys[i], digest, head_ + kUpdateHead);
  if (!known) return UpdateFault::NotSigned;
  return !older_ && version_number(version()) < version_number(board.version) ? UpdateFault::Older : UpdateFault::None;
}

bool UpdateWriter::refuse(UpdateFault fault) {
  fault_ = fault;
  if (begun_) system_->update_abandon();
  begun_ = false;
  return false;
}

bool UpdateWriter::write(const void* bytes, size_t size) {
  if (fault_ != UpdateFault::None) return false;
  const uint8_t* from = static_cast<const uint8_t*>(bytes);
  for (; size > 0 && filled_ < image_at() + kImageHead; size--) {
    head_[filled_++] = *from++;
    if (filled_ == 8 && memcmp(head_, kMagic, 8) != 0) return refuse(UpdateFault::NotAnUpdate);
    if (filled_ < image_at() + kImageHead) continue;
    UpdateFault fault = check_head();
    if (fault == UpdateFault::None) fault = check_origin();
    if (fault != UpdateFault::None) return refuse(fault);
    size_ = dword(head_ + 12);
    if (!system_->update_begin(size_)) return refuse(UpdateFault::WriteFailed);
    begun_ = true;
    hashes_->sha256_start();
    hashes_->sha256_add(head_ + image_at(), kImageHead);
    if (!system_->update_write(head_ + image_at(), kImageHead)) return refuse(UpdateFault::WriteFailed);
    written_ = kImageHead;
  }
  if (size == 0) return true;
  if (size > size_ - written_) return refuse(UpdateFault::Damaged);
  hashes_->sha256_add(from, size);
  written_ += static_cast<uint32_t>(size);
  return system_->update_write(from, size) ? true : refuse(UpdateFault::WriteFailed);
}

UpdateFault UpdateWriter::finish() {
  if (fault_ != UpdateFault::None) return fault_;
  uint8_t digest[32];
  if (begun_) hashes_->sha256_finish(digest);
  if (!begun_ || written_ != size_ || memcmp(digest, head_ + 16, sizeof digest) != 0) {
    refuse(filled_ < 8 ? UpdateFault::NotAnUpdate : UpdateFault::Damaged);
    return fault_;
  }
  begun_ = false;
  if (!system_->update_end()) fault_ = UpdateFault::WriteFailed;
  return fault_;
}

void UpdateWriter::abandon() {
  if (begun_) system_->update_abandon();
  begun_ = false;
}

}  // namespace hearth

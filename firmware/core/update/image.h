// Checks a firmware update before anything is erased. An update file is a head of 128 bytes and the image as the chip
// starts it:
//   0  "HEARTHUP"            8  chip id (2, little endian; FFFF = ESP8266)   10  head version 1 (2)
//   12 size of the image (4) 16 SHA-256 of the image (32)
//   48 board tag (32, NUL)   80 version (16, NUL)                            96 zero (32)
// With head version 2, 64 bytes follow before the image: r and s of an ECDSA P-256 signature over these 128 bytes. A
// board that knows keys accepts no other updates, and none that is older than its firmware. The image itself begins
// with E9; the ESP32 family repeats its chip id in bytes 12 and 13 (Espressif's image format).
#pragma once
#include "port.h"

namespace hearth {

constexpr size_t kUpdateHead = 128;
constexpr size_t kSignature = 64;
constexpr size_t kImageHead = 24;  ///< bytes of the image that are looked at
constexpr uint32_t kLeastImage = 1024;

enum class UpdateFault : uint8_t {
  None,
  NotAnUpdate,  ///< no head: a raw image or something else
  OtherChip,
  OtherBoard,
  TooLarge,
  NotSigned,  ///< without a signature, or by a key that this board does not know
  Older,      ///< than the firmware that runs
  Damaged,    ///< size, image head or checksum are wrong
  WriteFailed,
};

/// What it is called in the device's answers.
const char* update_fault_code(UpdateFault fault);
/// A message for the user.
const char* update_fault_text(UpdateFault fault);

/// Receives an update file in chunks of any size; writes the image only after checking the headers.
class UpdateWriter : public ByteSink {
 public:
  /// `older`: somebody at the device wants to go back to an older firmware.
  void start(System& system, Hashes& hashes, bool older);
  /// Returns false once an error was found.
  bool write(const void* bytes, size_t size) override;
  /// Call it after the last byte: checks the hash and marks the image for the next start.
  UpdateFault finish();
  /// Call it when the connection is lost: no image is marked.
  void abandon();
  UpdateFault fault() const { return fault_; }
  /// Bytes of the file that it has taken.
  uint32_t received() const { return begun_ ? static_cast<uint32_t>(image_at()) + written_ : filled_; }
  bool whole() const { return begun_ && written_ == size_; }
  /// Percentage written so far.
  uint8_t progress() const;
  const char* version() const { return reinterpret_cast<const char*>(head_) + 80; }

 private:
  UpdateFault check_head() const;
  UpdateFault check_origin();
  bool is_version_two() const { return filled_ >= 12 && head_[10] == 2 && head_[11] == 0; }
  /// Where the image begins in the file.
  size_t image_at() const { return is_version_two() ? kUpdateHead + kSignature : kUpdateHead; }
  bool refuse(UpdateFault fault);
  System* system_ = nullptr;
  Hashes* hashes_ = nullptr;
  UpdateFault fault_ = UpdateFault::None;
  bool begun_ = false;
  bool older_ = false;
  uint8_t filled_ = 0;
  uint32_t size_ = 0;
  uint32_t written_ = 0;
  uint8_t head_[kUpdateHead + kSignature + kImageHead] = {};
};

}  // namespace hearth

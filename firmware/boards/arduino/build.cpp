#include "profile.h"
#include "system.h"

#if defined(HEARTH_SMALLTV_PRO)
#include <Arduino.h>
#endif

#if !defined(HEARTH_VERSION)
#error "platformio.ini gives HEARTH_VERSION, HEARTH_REPO_OWNER, HEARTH_REPO_NAME and the keys of updates"
#endif

namespace board {
namespace {

constexpr uint8_t nibble(char digit) {
  return static_cast<uint8_t>(digit >= 'a' ? digit - 'a' + 10 : digit >= 'A' ? digit - 'A' + 10 : digit - '0');
}

/// Public keys as 128 hex digits, see boards/update-key.mjs; "" = none.
struct Keys {
  uint8_t keys[2][64] = {};
  uint8_t count = 0;
  template <size_t size>
  constexpr void add(const char (&hex)[size]) {
    static_assert(size == 1 || size == 129, "HEARTH_UPDATE_KEY must be empty or 128 hex digits");
    if (size == 1) return;
    for (size_t i = 0; i < 64; ++i)
      keys[count][i] = static_cast<uint8_t>(nibble(hex[2 * i % size]) << 4 | nibble(hex[(2 * i + 1) % size]));
    ++count;
  }
  constexpr Keys() {
    add(HEARTH_UPDATE_KEY);
    add(HEARTH_NEXT_UPDATE_KEY);
  }
};
constexpr Keys kKeys;
#if defined(HEARTH_LOADER)
constexpr bool kLoader = true;
#else
constexpr bool kLoader = false;
#endif

}  // namespace

bool is_touched() {
#if defined(HEARTH_SMALLTV_PRO)
  constexpr uint16_t kTouched = 40;  // the reading of a classic ESP32 falls from about 70 when a finger is near
  return touchRead(static_cast<uint8_t>(kBoard.touch)) < kTouched;
#else
  return false;
#endif
}

hearth::BoardInfo board_of_build(uint32_t chip_number) {
  return {kBoard.chip,       kBoard.tag,          HEARTH_VERSION, HEARTH_REPO_OWNER,
          HEARTH_REPO_NAME,  kBoard.update_asset, chip_number,    kBoard.backlight_inverted,
          kBoard.slot_bytes, kKeys.keys,          kKeys.count,    kLoader};
}

}  // namespace board

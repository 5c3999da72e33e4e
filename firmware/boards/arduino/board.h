// The differences between boards with the same chip. Each profile folder has a profile.h with one `kBoard`.
#pragma once
#include "port.h"

namespace board {

constexpr int8_t kUnwired = -1;

struct Profile {
  hearth::Chip chip;
  const char* tag;  ///< as in the file name of its image
  const char* update_asset;
  int8_t clock, data, command, reset, select, backlight;  ///< panel's pins: SCLK MOSI DC RST CS BL
  int8_t power;                                           ///< panel's power, active low
  int8_t light;                                           ///< analogue light sensor
  int8_t touch;                                           ///< capacitive touch pad
  bool backlight_inverted;
  uint32_t slot_bytes;  ///< largest image that an update may have
};

}  // namespace board

#include "profile.h"
#include "system.h"

#if !defined(HEARTH_VERSION)
#error "platformio.ini gives HEARTH_VERSION, HEARTH_REPO_OWNER and HEARTH_REPO_NAME"
#endif

namespace board {

hearth::BoardInfo board_of_build(uint32_t chip_number) {
  return {kBoard.chip,      kBoard.tag,          HEARTH_VERSION, HEARTH_REPO_OWNER,
          HEARTH_REPO_NAME, kBoard.update_asset, chip_number,    kBoard.backlight_inverted,
          kBoard.slot_bytes};
}

}  // namespace board

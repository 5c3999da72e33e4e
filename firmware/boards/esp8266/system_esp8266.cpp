#include <Arduino.h>
#include <Updater.h>

#include "../arduino/system.h"

namespace board {

using hearth::ResetCause;

namespace {
constexpr uint32_t kWatchdogMs = 8000;
}

void ChipSystem::start() {
  board_ = board_of_build(ESP.getChipId());
  ESP.wdtEnable(kWatchdogMs);
}
void ChipSystem::turn() { ESP.wdtFeed(); }
uint32_t ChipSystem::free_heap() { return ESP.getFreeHeap(); }
uint32_t ChipSystem::largest_block() { return ESP.getMaxFreeBlockSize(); }
uint32_t ChipSystem::free_stack() { return ESP.getFreeContStack(); }

ResetCause ChipSystem::reset_cause() {
  switch (ESP.getResetInfoPtr()->reason) {
    case REASON_DEFAULT_RST:
      return ResetCause::PowerOn;
    case REASON_EXT_SYS_RST:
      return ResetCause::PowerOn;
    case REASON_SOFT_RESTART:
      return ResetCause::Restart;
    case REASON_EXCEPTION_RST:
      return ResetCause::Crash;
    case REASON_WDT_RST:
      return ResetCause::Watchdog;
    case REASON_SOFT_WDT_RST:
      return ResetCause::Watchdog;
    default:
      return ResetCause::Other;
  }
}

void ChipSystem::restart() { ESP.restart(); }

bool ChipSystem::update_begin(uint32_t size) { return Update.begin(size, U_FLASH); }
bool ChipSystem::update_write(const void* bytes, size_t size) {
  return Update.write(static_cast<uint8_t*>(const_cast<void*>(bytes)), size) == size;
}
bool ChipSystem::update_end() { return Update.end(); }
/// The image is written beside the running one and copied at the next start only after `end`, so there is nothing to
/// undo.
void ChipSystem::update_abandon() {}

}  // namespace board

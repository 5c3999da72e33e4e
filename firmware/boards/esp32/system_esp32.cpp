#include <Arduino.h>
#include <Update.h>
#include <esp_mac.h>
#include <esp_ota_ops.h>
#include <esp_system.h>
#include <esp_task_wdt.h>

#include "../arduino/system.h"

/// Overrides a weak function of the core, which would otherwise confirm every new image before `setup`, however broken
/// it is.
extern "C" bool verifyRollbackLater() { return true; }

namespace board {

using hearth::ResetCause;

namespace {
// Longer than the longest step of a request: a name that no server answers takes lwIP up to 20 s.
constexpr uint32_t kWatchdogMs = 30000;
constexpr size_t kKeptBytes = 16;
RTC_NOINIT_ATTR uint8_t kept[kKeptBytes];
}  // namespace

void ChipSystem::start() {
  uint8_t mac[6] = {};
  esp_efuse_mac_get_default(mac);
  board_ = board_of_build(static_cast<uint32_t>(mac[3]) << 16 | static_cast<uint32_t>(mac[4]) << 8 | mac[5]);
  esp_task_wdt_config_t watchdog = {};
  watchdog.timeout_ms = kWatchdogMs;
  watchdog.trigger_panic = true;
  esp_task_wdt_reconfigure(&watchdog);
  esp_task_wdt_add(nullptr);
}
uint32_t ChipSystem::free_heap() { return ESP.getFreeHeap(); }
uint32_t ChipSystem::largest_block() { return ESP.getMaxAllocHeap(); }
uint32_t ChipSystem::free_stack() { return uxTaskGetStackHighWaterMark(nullptr); }

ResetCause ChipSystem::reset_cause() {
  switch (esp_reset_reason()) {
    case ESP_RST_POWERON:
      return ResetCause::PowerOn;
    case ESP_RST_EXT:
      return ResetCause::PowerOn;
    case ESP_RST_SW:
      return ResetCause::Restart;
    case ESP_RST_PANIC:
      return ResetCause::Crash;
    case ESP_RST_INT_WDT:
      return ResetCause::Watchdog;
    case ESP_RST_TASK_WDT:
      return ResetCause::Watchdog;
    case ESP_RST_WDT:
      return ResetCause::Watchdog;
    default:
      return ResetCause::Other;
  }
}

void ChipSystem::restart() { ESP.restart(); }
void ChipSystem::recall(void* bytes, size_t size) { memcpy(bytes, kept, size < kKeptBytes ? size : kKeptBytes); }
void ChipSystem::keep(const void* bytes, size_t size) { memcpy(kept, bytes, size < kKeptBytes ? size : kKeptBytes); }

bool ChipSystem::update_begin(uint32_t size) { return Update.begin(size, U_FLASH); }
bool ChipSystem::update_write(const void* bytes, size_t size) {
  return Update.write(static_cast<uint8_t*>(const_cast<void*>(bytes)), size) == size;
}
bool ChipSystem::update_end() { return Update.end(); }
void ChipSystem::update_abandon() { Update.abort(); }
void ChipSystem::confirm() { esp_ota_mark_app_valid_cancel_rollback(); }

}  // namespace board

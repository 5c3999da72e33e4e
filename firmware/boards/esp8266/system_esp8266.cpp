#include <Arduino.h>
#include <Updater.h>

#include "../arduino/system.h"

namespace board {

using hearth::ResetCause;

namespace {
// Of the 512 bytes of RTC memory for programs, counted in words: the boot loader takes the first 128 bytes for its copy
// command.
constexpr uint32_t kKeptWord = 32;
constexpr size_t kKeptBytes = 16;
}  // namespace

// The software watchdog bites after about 3 s without `yield` or `delay`; its length can't be changed.
void ChipSystem::start() { board_ = board_of_build(ESP.getChipId()); }
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

void ChipSystem::recall(void* bytes, size_t size) {
  uint32_t words[kKeptBytes / 4] = {};
  ESP.rtcUserMemoryRead(kKeptWord, words, sizeof words);
  memcpy(bytes, words, size < kKeptBytes ? size : kKeptBytes);
}
void ChipSystem::keep(const void* bytes, size_t size) {
  uint32_t words[kKeptBytes / 4] = {};
  memcpy(words, bytes, size < kKeptBytes ? size : kKeptBytes);
  ESP.rtcUserMemoryWrite(kKeptWord, words, sizeof words);
}

bool ChipSystem::update_begin(uint32_t size) { return Update.begin(size, U_FLASH); }
bool ChipSystem::update_write(const void* bytes, size_t size) {
  return Update.write(static_cast<uint8_t*>(const_cast<void*>(bytes)), size) == size;
}
bool ChipSystem::update_end() { return Update.end(); }
/// `end` of an unfinished update fails and frees its buffer; without it, every later `begin` says "already running".
void ChipSystem::update_abandon() { Update.end(); }
/// The boot loader has copied the new image over the old one, so there is none to go back to.
void ChipSystem::confirm() {}

}  // namespace board

// Flash memory and what a reset keeps: files, the slot for new firmware, RTC memory; and the watchdogs.
#include <string.h>

#include <vector>

#include "platform.h"
#include "world.h"
#include <LittleFS.h>
#if defined(ESP8266)
#include <Updater.h>
#else
#include <Update.h>
#include <esp_mac.h>
#include <esp_ota_ops.h>
#include <esp_system.h>
#include <esp_task_wdt.h>
#endif

namespace {

struct OpenFile {
  std::string name, bytes;
};
std::vector<OpenFile> open_files;
bool mounted = false;

fake::KeptFile* find(const char* name) {
  for (fake::KeptFile& file : fake::kept().files) {
    if (strcmp(file.name, name) == 0) return &file;
  }
  return nullptr;
}

/// The updater that both cores have: `begin` fails while another one runs.
struct Slot {
  bool running = false;
  size_t size = 0, written = 0;
  bool begin(size_t bytes) {
    if (running) fake::crash("Update.begin while an update runs");
    running = true;
    size = bytes;
    written = 0;
    return bytes > 0;
  }
  size_t write(size_t bytes) {
    if (!running || bytes > size - written) return 0;
    written += bytes;
    fake::pass(1);
    return bytes;
  }
  bool end() {
    const bool whole = running && written == size;
    running = false;
    if (whole) fake::kept().updates++;
    return whole;
  }
} slot;

}  // namespace

namespace fake {
void forget_flash() {
  open_files.clear();
  mounted = false;
  slot = Slot();
}
}  // namespace fake

LittleFileSystem LittleFS;
#if defined(ESP8266)
bool LittleFileSystem::begin() { return mounted = true; }
#else
bool LittleFileSystem::begin(bool, const char*, uint8_t, const char*) { return mounted = true; }
#endif
bool LittleFileSystem::exists(const char* path) { return mounted && find(path) != nullptr; }
File LittleFileSystem::open(const char* path, const char* mode) {
  File file;
  if (!mounted) return file;
  OpenFile opened{path, ""};
  if (mode[0] == 'r') {
    const fake::KeptFile* const found = find(path);
    if (found == nullptr) return file;
    opened.bytes.assign(reinterpret_cast<const char*>(found->bytes), found->size);
  }
  open_files.push_back(opened);
  file.handle = static_cast<int>(open_files.size() - 1);
  file.writes = mode[0] == 'w';
  return file;
}
bool LittleFileSystem::rename(const char* from, const char* to) {
  fake::KeptFile* const source = find(from);
  if (source == nullptr) return false;
  remove(to);
  strncpy(source->name, to, sizeof source->name - 1);
  return true;
}
bool LittleFileSystem::remove(const char* path) {
  fake::KeptFile* const file = find(path);
  if (file != nullptr) memset(file, 0, sizeof *file);
  return file != nullptr;
}
size_t File::read(uint8_t* bytes, size_t size) {
  const size_t got = open_files[static_cast<size_t>(handle)].bytes.copy(reinterpret_cast<char*>(bytes), size, at);
  at += got;
  return got;
}
size_t File::write(const uint8_t* bytes, size_t size) {
  open_files[static_cast<size_t>(handle)].bytes.append(reinterpret_cast<const char*>(bytes), size);
  return size;
}
void File::flush() {
  if (!writes) return;
  const OpenFile& open = open_files[static_cast<size_t>(handle)];
  fake::KeptFile* file = find(open.name.c_str());
  if (file == nullptr) file = find("");
  fake::expect(file != nullptr && open.bytes.size() <= sizeof file->bytes, "the files fit into the flash memory");
  strncpy(file->name, open.name.c_str(), sizeof file->name - 1);
  memcpy(file->bytes, open.bytes.data(), open.bytes.size());
  file->size = static_cast<uint32_t>(open.bytes.size());
}
void File::close() {
  flush();
  handle = -1;
}
File::operator bool() const { return handle >= 0; }

EspClass ESP;
uint32_t EspClass::getFreeHeap() { return fake::memory.first; }
void EspClass::restart() { fake::reset(fake::Cause::Restart); }

#if defined(ESP8266)
namespace fake {
/// The software watchdog is fed by every wait.
void watchdog_passes() {}
}  // namespace fake
UpdaterClass Update;
bool UpdaterClass::begin(size_t size, int, int, uint8_t) { return slot.begin(size); }
size_t UpdaterClass::write(uint8_t*, size_t size) { return slot.write(size); }
bool UpdaterClass::end(bool) { return slot.end(); }
extern "C" void stack_thunk_add_ref() {}
extern "C" void stack_thunk_del_ref() {}
uint32_t EspClass::getChipId() { return 0xabcd1234; }
void EspClass::wdtFeed() {}
uint32_t EspClass::getMaxFreeBlockSize() { return fake::memory.block; }
uint32_t EspClass::getFreeContStack() { return 3000; }
uint32_t EspClass::random() { return static_cast<uint32_t>(fake::now_ms() * 2654435761u + 12345u); }
bool EspClass::rtcUserMemoryRead(uint32_t word, uint32_t* data, size_t size) {
  if (word * 4 + size > sizeof fake::kept().rtc) return false;
  memcpy(data, fake::kept().rtc + word * 4, size);
  return true;
}
bool EspClass::rtcUserMemoryWrite(uint32_t word, uint32_t* data, size_t size) {
  if (word < 32) fake::crash("RTC memory of the boot loader was overwritten");
  if (word * 4 + size > sizeof fake::kept().rtc) return false;
  memcpy(fake::kept().rtc + word * 4, data, size);
  return true;
}
struct rst_info* EspClass::getResetInfoPtr() {
  static rst_info info;
  static const uint32_t kReasons[] = {REASON_DEFAULT_RST, REASON_SOFT_RESTART, REASON_EXCEPTION_RST, REASON_WDT_RST};
  info.reason = kReasons[static_cast<size_t>(fake::kept().cause)];
  return &info;
}
#else
namespace {
uint64_t fed_ms = 0;
uint32_t limit_ms = 5000;
bool watched = false;
}  // namespace
namespace fake {
void watchdog_passes() {
  if (watched && now_ms() - fed_ms > limit_ms) crash("the task watchdog got triggered", Cause::Watchdog);
}
}  // namespace fake
extern "C" {
// Where the linker puts RTC_NOINIT_ATTR.
extern uint8_t __start_rtc_noinit[];
extern uint8_t __stop_rtc_noinit[];
esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t* config) {
  limit_ms = config->timeout_ms;
  return 0;
}
esp_err_t esp_task_wdt_add(void*) {
  watched = true;
  fed_ms = fake::now_ms();
  // The first call of the board in `setup`: here its memory that a reset keeps gets its content.
  memcpy(__start_rtc_noinit, fake::kept().noinit, static_cast<size_t>(__stop_rtc_noinit - __start_rtc_noinit));
  return 0;
}
esp_err_t esp_task_wdt_reset(void) {
  fed_ms = fake::now_ms();
  memcpy(fake::kept().noinit, __start_rtc_noinit, static_cast<size_t>(__stop_rtc_noinit - __start_rtc_noinit));
  return 0;
}
esp_err_t esp_ota_mark_app_valid_cancel_rollback(void) {
  if (fake::kept().pending) fake::kept().confirmed++;
  fake::kept().pending = false;
  return 0;
}
esp_err_t esp_efuse_mac_get_default(uint8_t* mac) {
  for (uint8_t i = 0; i < 6; ++i) mac[i] = static_cast<uint8_t>(0x10 + i);
  return 0;
}
uint32_t esp_random(void) { return static_cast<uint32_t>(fake::now_ms() * 2654435761u + 12345u); }
unsigned uxTaskGetStackHighWaterMark(void*) { return 3000; }
esp_reset_reason_t esp_reset_reason(void) {
  static const esp_reset_reason_t kReasons[] = {ESP_RST_POWERON, ESP_RST_SW, ESP_RST_PANIC, ESP_RST_TASK_WDT};
  return kReasons[static_cast<size_t>(fake::kept().cause)];
}
}
UpdateClass Update;
bool UpdateClass::begin(size_t size, int, int, uint8_t, const char*) { return slot.begin(size); }
size_t UpdateClass::write(uint8_t*, size_t size) { return slot.write(size); }
bool UpdateClass::end(bool) { return slot.end(); }
void UpdateClass::abort() { slot.running = false; }
uint32_t EspClass::getMaxAllocHeap() { return 100000; }
#endif

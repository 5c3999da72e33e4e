#include "st7789.h"

#include <Arduino.h>
#include <SPI.h>

#include "profile.h"

namespace board {
namespace {

constexpr uint32_t kSpiHz = 40000000;
constexpr size_t kChunkPixels = 64;
constexpr uint16_t kFullLight = 1023;  // 10 bit
// Commands and delays: ST7789V datasheet 9.1, 9.2.
constexpr uint8_t kReset = 0x01, kSleepOut = 0x11, kInversionOn = 0x21, kDisplayOn = 0x29, kColumns = 0x2A,
                  kRows = 0x2B, kMemoryWrite = 0x2C, kMemoryAccess = 0x36, kPixelFormat = 0x3A;
constexpr uint8_t kRgbUpright = 0x00, k16Bit = 0x55;
constexpr uint32_t kResetMs = 150, kSleepOutMs = 120;

}  // namespace

void St7789::start() {
  backlight_inverted_ = kBoard.backlight_inverted;
  if (kBoard.power != kUnwired) {
    pinMode(kBoard.power, OUTPUT);
    digitalWrite(kBoard.power, LOW);
  }
  pinMode(kBoard.command, OUTPUT);
  if (kBoard.select != kUnwired) pinMode(kBoard.select, OUTPUT);
  select(false);
#if defined(ESP8266)
  SPI.begin();
  analogWriteRange(255);
#else
  SPI.begin(kBoard.clock, kUnwired, kBoard.data, kUnwired);
  ledcAttach(kBoard.backlight, 5000, 8);
#endif
  backlight(0);
  if (kBoard.reset != kUnwired) {
    pinMode(kBoard.reset, OUTPUT);
    digitalWrite(kBoard.reset, LOW);
    delay(10);
    digitalWrite(kBoard.reset, HIGH);
    delay(kResetMs);
  }
  command(kReset, nullptr, 0);
  delay(kResetMs);
  command(kSleepOut, nullptr, 0);
  delay(kSleepOutMs);
  command(kPixelFormat, &k16Bit, 1);
  command(kMemoryAccess, &kRgbUpright, 1);
  command(kInversionOn, nullptr, 0);
  command(kDisplayOn, nullptr, 0);
}

void St7789::configure(const hearth::PanelSetup& setup) {
  backlight_inverted_ = setup.backlight_inverted;
  backlight(percent_);
}

void St7789::select(bool on) {
  if (kBoard.select != kUnwired) digitalWrite(kBoard.select, on ? LOW : HIGH);
}

void St7789::command(uint8_t code, const uint8_t* data, size_t size) {
  SPI.beginTransaction(SPISettings(kSpiHz, MSBFIRST, SPI_MODE3));
  select(true);
  digitalWrite(kBoard.command, LOW);
  SPI.transfer(code);
  digitalWrite(kBoard.command, HIGH);
  for (size_t i = 0; i < size; ++i) SPI.transfer(data[i]);
  select(false);
  SPI.endTransaction();
}

void St7789::window(uint16_t x, uint16_t y, uint16_t width, uint16_t height) {
  const auto span = [this](uint8_t code, uint16_t first, uint16_t last) {
    const uint8_t bytes[] = {static_cast<uint8_t>(first >> 8), static_cast<uint8_t>(first),
                             static_cast<uint8_t>(last >> 8), static_cast<uint8_t>(last)};
    command(code, bytes, sizeof bytes);
  };
  span(kColumns, x, static_cast<uint16_t>(x + width - 1));
  span(kRows, y, static_cast<uint16_t>(y + height - 1));
  command(kMemoryWrite, nullptr, 0);
}

void St7789::push(const uint16_t* pixels, size_t count) {
  alignas(4) uint8_t bytes[kChunkPixels * 2];
  SPI.beginTransaction(SPISettings(kSpiHz, MSBFIRST, SPI_MODE3));
  select(true);
  while (count > 0) {
    const size_t part = count < kChunkPixels ? count : kChunkPixels;
    for (size_t i = 0; i < part; ++i) {
      bytes[2 * i] = static_cast<uint8_t>(pixels[i] >> 8);
      bytes[2 * i + 1] = static_cast<uint8_t>(pixels[i]);
    }
    SPI.writeBytes(bytes, part * 2);
    pixels += part;
    count -= part;
  }
  select(false);
  SPI.endTransaction();
}

void St7789::backlight(uint8_t percent) {
  percent_ = percent;
  const uint8_t level = static_cast<uint8_t>(percent * 255u / 100u);
  const uint8_t duty = backlight_inverted_ ? static_cast<uint8_t>(255 - level) : level;
#if defined(ESP8266)
  analogWrite(kBoard.backlight, duty);
#else
  ledcWrite(kBoard.backlight, duty);
#endif
}

bool St7789::has_light() { return kBoard.light != kUnwired; }

uint8_t St7789::light() {
  if (kBoard.light == kUnwired) return 0;
  return static_cast<uint8_t>(analogRead(kBoard.light) * 100 / kFullLight);
}

}  // namespace board

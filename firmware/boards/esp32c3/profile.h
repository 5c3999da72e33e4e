// A development board with ESP32-C3 and the same panel, wired by hand; the pins are our own choice. With HEARTH_C3_USB,
// the serial line is the chip's own USB: small boards have no other one.
#pragma once
#include "../arduino/board.h"

namespace board {
#if defined(HEARTH_C3_USB)
constexpr Profile kBoard = {hearth::Chip::Esp32c3,
                            "esp32c3-usb",
                            "hearth-ticker-esp32c3-usb.update",
                            4,
                            6,
                            5,
                            7,
                            10,
                            3,
                            kUnwired,
                            kUnwired,
                            kUnwired,
                            true,
                            0x180000};
#else
constexpr Profile kBoard = {hearth::Chip::Esp32c3,
                            "esp32c3-devkit",
                            "hearth-ticker-esp32c3-devkit.update",
                            4,
                            6,
                            5,
                            7,
                            10,
                            3,
                            kUnwired,
                            kUnwired,
                            kUnwired,
                            true,
                            0x180000};
#endif
}  // namespace board

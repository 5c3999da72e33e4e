// SmallTV clone: ESP32-C2 (ESP8684), 4 MB, CH340C on USB-C with automatic reset.
#pragma once
#include "../arduino/board.h"

namespace board {
constexpr Profile kBoard = {hearth::Chip::Esp32c2,
                            "smalltv-c2",
                            "hearth-ticker-smalltv-c2.update",
                            4,
                            6,
                            5,
                            1,
                            kUnwired,
                            18,
                            kUnwired,
                            kUnwired,
                            kUnwired,
                            true,
                            0x180000};
}

// GeekMagic SmallTV and SmallTV-ultra: ESP-12F, 4 MB. No USB-serial chip; the UART has pads.
#pragma once
#include "../arduino/board.h"

namespace board {
constexpr Profile kBoard = {hearth::Chip::Esp8266,
                            "smalltv-esp8266",
                            "hearth-ticker-smalltv-esp8266.update",
                            14,
                            13,
                            0,
                            2,
                            15,
                            5,
                            kUnwired,
                            17 /* A0 */,
                            kUnwired,
                            true,
                            1044464};
}

// Classic ESP32: NM-TV-154 (4 MB), or SmallTV Pro (8 MB) with HEARTH_SMALLTV_PRO.
#pragma once
#include "../arduino/board.h"

namespace board {
#if defined(HEARTH_SMALLTV_PRO)
constexpr Profile kBoard = {hearth::Chip::Esp32,
                            "smalltv-pro",
                            "hearth-ticker-smalltv-pro.update",
                            18,
                            23,
                            2,
                            4,
                            kUnwired,
                            25,
                            kUnwired,
                            kUnwired,
                            32,
                            true,
                            0x220000};
#else
constexpr Profile kBoard = {hearth::Chip::Esp32,
                            "nm-tv-154",
                            "hearth-ticker-nm-tv-154.update",
                            14,
                            13,
                            2,
                            kUnwired,
                            15,
                            19,
                            21,
                            kUnwired,
                            kUnwired,
                            true,
                            0x180000};
#endif
}  // namespace board

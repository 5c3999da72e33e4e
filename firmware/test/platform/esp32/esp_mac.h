#pragma once
#include <stdint.h>
typedef int esp_err_t;
extern "C" esp_err_t esp_efuse_mac_get_default(uint8_t* mac);

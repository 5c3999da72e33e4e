// The major version in the Arduino core 3.3 for the ESP32 family.
#pragma once
#define MBEDTLS_VERSION_MAJOR 3

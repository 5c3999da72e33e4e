#pragma once
#include "wifi_common.h"

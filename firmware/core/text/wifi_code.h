// The QR code with which a phone joins the setup network.
#pragma once
#include "settings/settings.h"
#include "text/qr.h"

namespace hearth {

/// "WIFI:T:WPA;S:name;P:password;;", as phones read it. Without a password, or if it is too long, there is no code.
bool make_wifi_code(const char* name, const char* password, QrCode* code);

}  // namespace hearth

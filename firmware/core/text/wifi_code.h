// The QR codes with which a phone joins the setup network, or opens the settings page.
#pragma once
#include "settings/settings.h"
#include "text/qr.h"

namespace hearth {

/// "WIFI:T:WPA;S:name;P:password;;", as phones read it. Without a password, or if it is too long, there is no code.
bool make_wifi_code(const char* name, const char* password, QrCode* code);

/// "http://192.168.1.20/". Without an address there is no code.
bool make_page_code(const char* address, QrCode* code);

}  // namespace hearth

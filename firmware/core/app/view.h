// The state that the screens draw, independent of its source.
#pragma once
#include "clock/civil.h"
#include "settings/settings.h"
#include "text/qr.h"

namespace hearth {

/// Every scene with its name in the preview of the app; the list in src-shared/ticker/screen.ts is the same.
// clang-format off
#define HEARTH_SCENES(scene)                                                                        \
  scene(Boot, "boot")            /* starting, or joining `network` */                               \
  scene(Joined, "joined")        /* 3.5 s after joining: network, address and host name */          \
  scene(Setup, "setup")          /* access point `network`, password or open, http://192.168.4.1 */ \
  scene(Ticker, "ticker")        /* quotes[index] */                                                \
  scene(Portfolio, "portfolio")  /* all rows with a quantity */                                     \
  scene(Clock, "clock")          /* time and date */                                                \
  scene(NoSymbols, "no-symbols") /* nothing is configured */                                        \
  scene(NoNetwork, "no-network") /* the network is lost and there is no price to show */            \
  scene(Updating, "updating")    /* new firmware, `progress` percent */                             \
  scene(SafeMode, "safe-mode")   /* after several crashes: only the web page works */               \
  scene(Confirm, "confirm")      /* `code` for somebody at the page */                              \
  scene(Watchlist, "watchlist")  /* all rows */                                                     \
  scene(Loader, "loader")        /* joined, and waits for the real firmware */
// clang-format on

#define HEARTH_SCENE(id, name) id,
enum class Scene : uint8_t { HEARTH_SCENES(HEARTH_SCENE) };
#undef HEARTH_SCENE

#define HEARTH_SCENE(id, name) +1
constexpr uint8_t kSceneCount = HEARTH_SCENES(HEARTH_SCENE);
#undef HEARTH_SCENE

struct View {
  Scene scene;
  const Settings* settings;
  const Quote* quotes;  ///< one a row of settings->ticker.rows
  uint8_t index;        ///< row shown in Scene::Ticker
  uint8_t page;         ///< page dot that is lit
  uint8_t pages;        ///< number of page dots
  uint8_t brightness;   ///< 0..100, with night mode applied
  bool night;
  bool online;  ///< Wi-Fi is joined
  bool time_known;
  CivilTime time;            ///< local
  char network[kSsidBytes];  ///< joined, being joined, or the access point's own
  char address[16];          ///< "192.168.1.20", "" = none
  uint8_t progress;
  QrCode scan_code;   ///< for a phone: the setup network, or the settings page while nothing is configured
  char code[7];       ///< six digits
  bool unsigned_;     ///< this firmware accepts updates of anybody
  uint32_t revision;  ///< another number whenever something above or a quote may have changed
};

}  // namespace hearth

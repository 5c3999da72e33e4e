// The state that the screens draw, independent of how it came about.
#pragma once
#include "clock/civil.h"
#include "settings/settings.h"

namespace hearth {

enum class Scene : uint8_t {
  Boot,       ///< starting, or joining `network`
  Joined,     ///< 3.5 s after joining: network, address and host name
  Setup,      ///< access point `network`, password or open, http://192.168.4.1
  Ticker,     ///< quotes[index]
  Portfolio,  ///< all rows with a quantity
  Clock,      ///< time and date
  NoSymbols,  ///< nothing is configured
  NoNetwork,  ///< the network is lost and there is no price to show
  Updating,   ///< new firmware, `progress` percent
  SafeMode,   ///< after a crash: only the web page works
};

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
  uint32_t revision;  ///< another number whenever something above or a quote may have changed
};

}  // namespace hearth

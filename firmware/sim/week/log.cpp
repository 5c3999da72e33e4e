#include "log.h"

#include <stdio.h>

namespace week {
namespace {

const char* name_of(hearth::Scene scene) {
  switch (scene) {
    case hearth::Scene::Boot:
      return "starting";
    case hearth::Scene::Joined:
      return "joined";
    case hearth::Scene::Setup:
      return "setup";
    case hearth::Scene::Ticker:
    case hearth::Scene::Portfolio:
    case hearth::Scene::Watchlist:
    case hearth::Scene::Clock:
      return "pages";
    case hearth::Scene::NoSymbols:
      return "nothing configured";
    case hearth::Scene::NoNetwork:
      return "no network";
    case hearth::Scene::Updating:
      return "updating";
    case hearth::Scene::SafeMode:
      return "safe mode";
    case hearth::Scene::Confirm:
      return "code";
    case hearth::Scene::Loader:
      return "loader";
  }
  return "?";
}

const char* name_of(hearth::QuoteState state) {
  switch (state) {
    case hearth::QuoteState::Empty:
      return "empty";
    case hearth::QuoteState::Fresh:
      return "fresh";
    case hearth::QuoteState::Stale:
      return "stale";
  }
  return "?";
}

const char* name_of(hearth::Reason reason) {
  static const char* const kNames[] = {
      "",           "not asked yet",  "not configured", "no network",     "no address", "no connection",
      "TLS failed", "certificate",    "too slow",       "rate limited",   "HTTP",       "bad answer",
      "too large",  "unknown symbol", "no price",       "source says no", "low memory"};
  static_assert(sizeof kNames / sizeof *kNames == static_cast<size_t>(hearth::Reason::LowMemory) + 1,
                "a reason has no name");
  return kNames[static_cast<int>(reason)];
}

}  // namespace

void TransitionLog::note(uint64_t ms, const std::string& text) {
  const unsigned seconds = static_cast<unsigned>(ms / 1000);
  printf("day %u %02u:%02u:%02u  %s\n", seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60,
         text.c_str());
}

void TransitionLog::look(const hearth::View& view, uint64_t ms) {
  const auto tell = [&](std::string& before, const std::string& now) {
    if (now == before) return;
    before = now;
    note(ms, now);
  };
  tell(scene_, std::string("screen: ") + name_of(view.scene));
  tell(night_, view.night ? "night: on" : "night: off");
  for (uint8_t row = 0; row < view.settings->ticker.row_count; ++row) {
    const hearth::Quote& quote = view.quotes[row];
    std::string line = std::string(view.settings->ticker.rows[row].symbol) + ": " + name_of(quote.state);
    if (quote.reason != hearth::Reason::None) line += std::string(", ") + name_of(quote.reason);
    if (quote.http_status != 0) line += " " + std::to_string(quote.http_status);
    tell(seen_[row], line);
  }
}

}  // namespace week

// The rules that are checked at every step of the week.
#pragma once
#include "app/view.h"
#include "net.h"

namespace week {

struct Row {
  const char* symbol;
  const char* source;    ///< as in the settings
  const char* hosts[2];  ///< the second is the mirror, or null
  const char* target;
};
extern const Row kRows[8];
constexpr uint32_t kPollSeconds = 120;

class Rules {
 public:
  Rules(const VirtualNet& net, const sim::Elapsed& clock) : net_(net), clock_(clock) {}
  /// Call it when the device restarted or lost its network: the quiet period starts over.
  void disturbed();
  void check(const hearth::View& view, bool online);
  unsigned broken() const { return broken_; }

 private:
  /// Reports a broken rule once, until it holds again.
  void demand(bool holds, uint8_t row, uint8_t rule, const std::string& what);
  const VirtualNet& net_;
  const sim::Elapsed& clock_;
  uint64_t calm_since_[8] = {};
  bool reported_[8][4] = {};
  unsigned broken_ = 0;
};

}  // namespace week

// The transition log: one line for each visible change, in virtual time.
#pragma once
#include <string>

#include "app/view.h"

namespace week {

class TransitionLog {
 public:
  void look(const hearth::View& view, uint64_t ms);
  void note(uint64_t ms, const std::string& text);

 private:
  std::string seen_[hearth::kMaxSymbols];
  std::string scene_;
  std::string night_;
};

}  // namespace week

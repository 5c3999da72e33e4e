// The market of the virtual week: correct replies for all four sources, and the last correct reply.
#pragma once
#include <stdint.h>

#include <map>
#include <string>

#include "plan.h"

namespace week {

/// A server reply, sent with `per_second` bytes per second; the connection ends after it.
struct Answer {
  std::string bytes;
  uint64_t per_second = 20000;
  bool breaks = false;  ///< breaks off instead of ending
  std::string symbol;
  std::string price;  ///< "" = this answer holds no right price
};

class Market {
 public:
  /// `request` is the complete request of the device.
  Answer answer(const std::string& host, const std::string& request, uint64_t ms);
  /// Price of a symbol at a given time, with two decimals; deterministic, changing every few minutes while the market
  /// is open.
  static std::string price(const std::string& symbol, uint64_t ms);

  struct Record {
    uint64_t requests = 0;
    uint64_t last_request = 0;
  };
  std::map<std::string, Record> records;
};

}  // namespace week

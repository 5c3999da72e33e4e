// A network in virtual time: connecting takes 80 ms, encryption 400 ms, and a reply begins after 60 ms.
#pragma once
#include <map>

#include "../wifi.h"
#include "market.h"

namespace week {

class VirtualNet final : public hearth::Net {
 public:
  VirtualNet(Market& market, const sim::Elapsed& clock, sim::FakeWifi& wifi)
      : market_(market), clock_(clock), wifi_(wifi) {}
  bool open(const hearth::Endpoint& endpoint, uint32_t timeout_ms) override;
  hearth::NetState state() override;
  hearth::NetFault fault() override { return fault_; }
  size_t send(const void* bytes, size_t size) override;
  size_t receive(void* bytes, size_t capacity) override;
  void close() override;
  bool busy() { return state() == hearth::NetState::Connecting || state() == hearth::NetState::Open; }

  /// Correct prices that were received completely: text of the price, and when.
  struct Delivered {
    std::string price;
    std::string before;  ///< the one before it
    uint64_t ms = 0;
  };
  std::map<std::string, Delivered> delivered;
  uint64_t opened = 0, closed = 0;

 private:
  size_t arrived() const;
  Market& market_;
  const sim::Elapsed& clock_;
  sim::FakeWifi& wifi_;
  bool open_ = false;
  Trouble trouble_ = Trouble::None;
  hearth::NetFault fault_ = hearth::NetFault::None;
  uint64_t ready_ = 0;
  std::string host_, request_;
  bool answered_ = false;
  Answer answer_;
  uint64_t answered_ms_ = 0;
  size_t read_ = 0;
};

}  // namespace week

// The serial line as a pseudo terminal. Unread bytes are lost, as on a cable without a reader.
#pragma once
#include "faults.h"
#include "port.h"

namespace sim {

class Pty final : public hearth::ByteSink {
 public:
  explicit Pty(const Faults& faults) : faults_(faults) {}
  bool start();
  bool write(const void* bytes, size_t size) override;
  size_t read(void* bytes, size_t capacity);
  int handle() const { return master_; }
  const std::string& name() const { return name_; }

 private:
  const Faults& faults_;
  int master_ = -1;
  int slave_ = -1;  ///< stays open, so that programs can connect and disconnect
  std::string name_;
};

}  // namespace sim

// The serial line as a pseudo terminal. Bytes that nobody reads are lost, as on a cable without a listener.
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
  int slave_ = -1;  ///< kept open, so that a program may come and go
  std::string name_;
};

}  // namespace sim

// The device's files in a folder; a new file replaces the old one atomically, or not at all if the power fails.
#pragma once
#include <stdio.h>

#include "faults.h"
#include "port.h"

namespace sim {

class FolderStore final : public hearth::Store {
 public:
  FolderStore(std::string folder, Faults& faults);
  bool open(const char* name) override;
  size_t read(void* bytes, size_t capacity) override;
  void close() override;
  bool create(const char* name) override;
  bool write(const void* bytes, size_t size) override;
  bool commit() override;
  void abandon() override;
  bool remove(const char* name) override;

 private:
  std::string path(const char* name) const;
  std::string folder_;
  Faults& faults_;
  FILE* file_ = nullptr;
  std::string target_;  ///< of the file that is being written
};

}  // namespace sim

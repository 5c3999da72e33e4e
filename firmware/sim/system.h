// Properties of a simulated chip.
#pragma once
#include <string.h>

#include "options.h"

namespace sim {

class ChipSystem final : public hearth::System {
 public:
  explicit ChipSystem(const Options& options);
  const hearth::BoardInfo& board() override { return board_; }
  uint32_t free_heap() override;
  uint32_t largest_block() override;
  uint32_t free_stack() override { return 4096; }
  hearth::ResetCause reset_cause() override { return cause_; }
  void recall(void* bytes, size_t size) override { memcpy(bytes, kept_, size); }
  void keep(const void* bytes, size_t size) override { memcpy(kept_, bytes, size); }
  void restart() override { start_again(hearth::ResetCause::Restart); }
  bool update_begin(uint32_t size) override;
  bool update_write(const void* bytes, size_t size) override;
  bool update_end() override;
  void update_abandon() override;
  void confirm() override {}

  void start_again(hearth::ResetCause cause);
  /// True once after each `restart`.
  bool take_restart();

 private:
  const Options& options_;
  hearth::BoardInfo board_;
  std::string tag_, asset_, image_;
  uint8_t update_keys_[2][64] = {};
  uint8_t kept_[16] = {};
  uint32_t expected_ = 0;
  bool running_ = false;  // an update was begun
  hearth::ResetCause cause_ = hearth::ResetCause::PowerOn;
  bool restart_ = false;
};

}  // namespace sim

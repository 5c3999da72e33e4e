// Properties of the chip, and its second slot for new firmware.
#pragma once
#include "port.h"

namespace board {

class ChipSystem final : public hearth::System {
 public:
  void start();
  const hearth::BoardInfo& board() override { return board_; }
  uint32_t free_heap() override;
  uint32_t largest_block() override;
  uint32_t free_stack() override;
  hearth::ResetCause reset_cause() override;
  void restart() override;
  void recall(void* bytes, size_t size) override;
  void keep(const void* bytes, size_t size) override;
  bool update_begin(uint32_t size) override;
  bool update_write(const void* bytes, size_t size) override;
  bool update_end() override;
  void update_abandon() override;
  void confirm() override;

 private:
  hearth::BoardInfo board_{};
};

/// The board of this build, with the chip's own number.
hearth::BoardInfo board_of_build(uint32_t chip_number);

/// Whether a finger is on the board's touch pad; false on boards without one.
bool is_touched();

}  // namespace board

// Virtual time: runs `speed` times as fast as real time, but at real speed while a request is in progress, because
// servers are real.
#pragma once
#include "faults.h"
#include "options.h"

namespace sim {

/// Virtual time that only grows.
class Elapsed {
 public:
  /// Milliseconds since the start, without wrap.
  virtual uint64_t total() const = 0;

 protected:
  ~Elapsed() = default;
};

class FastClock final : public hearth::Clock, public Elapsed {
 public:
  FastClock(const Options& options, const Faults& faults);
  uint32_t millis() override { return static_cast<uint32_t>(ms_); }
  bool unix_seconds(int64_t* seconds) override;
  void keep_time(bool wanted) override;
  uint32_t sync_age_ms() override;

  /// Advances the time; call it once per turn. `busy` means that a request is in progress. Advances at most a quarter
  /// of a virtual second, so that no event is skipped.
  void turn(bool busy, bool online);
  uint64_t total() const override { return ms_ - start_; }

 private:
  const Options& options_;
  const Faults& faults_;
  uint64_t start_;
  uint64_t ms_;
  double rest_ = 0;
  int64_t real_us_;
  int64_t epoch_ms_;      ///< virtual Unix time of `start_`
  int64_t error_ms_ = 0;  ///< device time minus true time, updated at each synchronization
  bool wanted_ = false;
  bool known_ = false;
  uint64_t asked_ = 0;
  uint64_t synced_ = 0;
  void* memory_ = nullptr;  ///< heap used by time synchronization
};

}  // namespace sim

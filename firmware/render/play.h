// Shows scenes on a screen in memory, as a device would.
#pragma once
#include "render/frame.h"
#include "render/scene.h"
#include "screen/screen.h"
#include "text/format.h"

namespace hearth {

enum class Outcome : uint8_t { Done, BadSettings, BadView };

enum class Look : uint8_t {
  Panel,  ///< sent to the panel: rotated, with color settings, at full brightness
  Seen,   ///< as a person sees a correctly configured panel: upright, dimmed
};

class Player {
 public:
  /// Shows one complete scene.
  Outcome show(const char* settings, size_t settings_size, const char* view, size_t view_size, Look look);
  /// Shows a scene after the previous one and draws only the changes. Returns the number of pixels sent, or -1 if it
  /// can't be read.
  int32_t follow(const char* settings, size_t settings_size, const char* view, size_t view_size);
  const Frame& frame() const { return frame_; }
  /// After BadSettings: "display.rGain must be a whole number from 50 to 150".
  const char* complaint() const { return complaint_.text(); }

 private:
  Outcome read(const char* settings, size_t settings_size, const char* view, size_t view_size);
  SceneState state_;
  Screen screen_;
  Frame frame_;
  TextBuilder complaint_;
  uint32_t revision_ = 0;
};

}  // namespace hearth

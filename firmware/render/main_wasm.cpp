// The core's screens as WebAssembly (called by src-shared/ticker/screen.ts). Memory is fixed: texts are written to
// `input`, and the image is in `picture`.
#include "render/play.h"

namespace {

constexpr size_t kInputBytes = 64 * 1024;
char input[kInputBytes];
uint8_t picture[hearth::kSide * hearth::kSide * 4];
hearth::Player player;

}  // namespace

extern "C" {

void __wasm_call_ctors();
/// Must be called once before all other functions, as for WebAssembly reactors; otherwise the linker would run the
/// constructors on each call.
__attribute__((export_name("_initialize"))) void initialize() { __wasm_call_ctors(); }

__attribute__((export_name("input"))) char* input_address() { return input; }
__attribute__((export_name("inputBytes"))) size_t input_bytes() { return kInputBytes; }
__attribute__((export_name("picture"))) uint8_t* picture_address() { return picture; }

/// After the result 1: the error in the settings, NUL-terminated.
__attribute__((export_name("complaint"))) const char* complaint() { return player.complaint(); }

/// The settings are at the start of `input`, followed by the view; `seen` renders the image as people see it instead of
/// as sent to the panel. Returns 0 if done, 1 for invalid settings, 2 if the view can't be read.
__attribute__((export_name("render"))) int render(size_t settings_size, size_t view_size, int seen) {
  if (settings_size > kInputBytes || view_size > kInputBytes - settings_size) return 2;
  const hearth::Outcome outcome = player.show(input, settings_size, input + settings_size, view_size,
                                              seen ? hearth::Look::Seen : hearth::Look::Panel);
  if (outcome == hearth::Outcome::Done) player.frame().rgba(picture);
  return static_cast<int>(outcome);
}

}  // extern "C"

// A view as JSON, for images outside a device: preview in the app, golden images, runs under QEMU.
#pragma once
#include "app/view.h"
#include "settings/codec.h"

namespace hearth {

/// A view with all objects to which it points.
struct SceneState {
  Settings settings;
  Quote quotes[kMaxSymbols];
  View view;
};

/// Reads the device's settings over the defaults. Returns false if they are invalid; `error` states which key violates
/// which rule.
bool read_settings(const char* json, size_t size, SceneState* state, SettingsError* error);

/// Fills in the view and the quotes of a scene after its settings were read. The format is `View` of
/// src-shared/ticker/screen.ts. Returns false for other JSON; the state is then unspecified.
bool read_scene(const char* json, size_t size, SceneState* state);

}  // namespace hearth

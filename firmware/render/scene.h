// A view as JSON, for images outside a device: preview in the app, golden images, runs under QEMU.
#pragma once
#include "app/view.h"
#include "settings/codec.h"

namespace hearth {

/// A view with everything it points to.
struct SceneState {
  Settings settings;
  Quote quotes[kMaxSymbols];
  View view;
};

/// Reads the device's settings over the defaults. False if they are invalid; `error` says which key breaks
/// which rule.
bool read_settings(const char* json, size_t size, SceneState* state, SettingsError* error);

/// Fills in the view and the quotes of a scene whose settings are already there. The form is `View` of
/// src-shared/ticker/screen.ts. False for other JSON; the state is then unspecified.
bool read_scene(const char* json, size_t size, SceneState* state);

}  // namespace hearth

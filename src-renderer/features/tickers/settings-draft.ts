import type { DeviceSettings } from '../../../src-shared/ticker/device/shapes.ts';
import { diffSettings } from '../../../src-shared/ticker/settings/change.ts';
import { withValue } from '../../../src-shared/ticker/settings/check.ts';

/** Settings that a user has changed and not written, with what the device had then. */
export interface SettingsDraft {
  of: DeviceSettings;
  settings: DeviceSettings;
}

/**
 * What the device has with the changes of a draft. They stay where the device was read anew, as after a cable that was
 * pulled or a change on the device itself; those of a device with another name are not for this one.
 */
export function draftOver(stored: DeviceSettings, draft: SettingsDraft | null): DeviceSettings {
  if (draft === null || draft.of.hostname !== stored.hostname) return stored;
  if (draft.of === stored) return draft.settings;
  return diffSettings(draft.of, draft.settings).reduce(
    (settings, { path, after }) => withValue(settings, path, after),
    stored,
  );
}

/** The settings with those of a file, which may hold a part of them. */
export const mergeInto = (settings: DeviceSettings, file: object): DeviceSettings =>
  diffSettings(settings, file).reduce((merged, { path, after }) => withValue(merged, path, after), settings);

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { desktopPreferences, type DesktopPreferences } from '../../../src-shared/contract/bridge.ts';

/** A serial device that the user selected before: it may be opened again without a picker. */
const device = z.strictObject({ vendorId: z.string(), productId: z.string(), serialNumber: z.string().nullable() });
export type RememberedDevice = z.output<typeof device>;

const MAX_DEVICES = 100;
const stored = z.looseObject({
  preferences: desktopPreferences.partial().catch({}),
  devices: z.array(device).max(MAX_DEVICES).catch([]),
});

/** Nothing leaves the computer unless somebody wishes it, so Hearth does not look for new versions by itself. */
const DEFAULTS: DesktopPreferences = { pause_on_battery: false, notifications: true, updates: false };

/** What is set for this computer alone, in a file; a damaged file counts as empty. */
export interface Preferences {
  get(): DesktopPreferences;
  change(changes: Partial<DesktopPreferences>): void;
  /** Called after a change. */
  onChange(listener: () => void): void;
  devices(): readonly RememberedDevice[];
  remember(device: RememberedDevice): void;
  forgetDevices(): void;
}

/** Opens the preferences in `file`; `write` replaces the file. */
export function openPreferences(file: string, write: (text: string) => void): Preferences {
  let { preferences, devices } = readPreferences(file);
  const listeners: (() => void)[] = [];
  const save = (): void => write(`${JSON.stringify({ preferences, devices }, null, 2)}\n`);
  return {
    get: () => ({ ...DEFAULTS, ...preferences }),
    change(changes) {
      preferences = { ...preferences, ...changes };
      save();
      for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
    devices: () => devices,
    remember(next) {
      devices = [...devices.filter((known) => !isSameDevice(known, next)), next].slice(-MAX_DEVICES);
      save();
    },
    forgetDevices() {
      devices = [];
      save();
    },
  };
}

/** Whether both are the same board. Two boards without a serial number can't be told apart. */
export const isSameDevice = (a: RememberedDevice, b: RememberedDevice): boolean =>
  a.vendorId === b.vendorId && a.productId === b.productId && a.serialNumber === b.serialNumber;

function readPreferences(file: string): z.output<typeof stored> {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { preferences: {}, devices: [] };
  }
}

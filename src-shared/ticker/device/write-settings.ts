import { TickerError } from '../flash/ticker-error.ts';
import { diffSettings, documentOf, missingChanges, type SettingChange } from '../settings/change.ts';
import { checkSettings } from '../settings/check.ts';
import { ruleText } from '../settings/rule-texts.ts';
import { MAX_SETTINGS_BYTES, SETTING_FIELDS } from '../settings/fields.ts';
import { type DeviceSettings, type DeviceStatus, settingsFile } from './shapes.ts';

/** A device whose settings are written, whatever leads to it. */
export interface SettingsTarget {
  settings(): Promise<DeviceSettings>;
  /** Writes part of the settings: all of it or nothing. True if the device starts again because of it. */
  set(document: object): Promise<boolean>;
  awaitStart(): Promise<DeviceStatus>;
}

/**
 * Writes what differs from `base`, or from what the device has now, reads it back and compares. Returns the settings
 * read back. Throws a `TickerError`; unless it is `ticker.not_kept`, the device keeps its old settings.
 */
export async function writeSettings(
  target: SettingsTarget,
  wanted: object,
  base?: object,
): Promise<{ settings: DeviceSettings; changes: SettingChange[] }> {
  const problem = checkSettings(wanted)[0];
  if (problem?.rule === 'document') throw new TickerError('ticker.settings_too_long', { bytes: MAX_SETTINGS_BYTES });
  if (problem !== undefined)
    throw new TickerError('ticker.setting_refused', { key: problem.path, rule: ruleText(problem) });
  const before = await target.settings();
  const changes = diffSettings(base ?? before, wanted);
  if (changes.length === 0) return { settings: before, changes };
  const starts = await target.set(documentOf(changes));
  if (starts) await target.awaitStart();
  const settings = await target.settings();
  const missing = missingChanges(changes, settings);
  if (missing.length > 0)
    throw new TickerError('ticker.not_kept', { paths: missing.map(({ path }) => path).join(', ') });
  return { settings, changes };
}

/** The settings as a file: what can be written back, without secrets, which the device never tells. */
export function exportSettings(settings: DeviceSettings): string {
  const sections = new Set([...Object.keys(SETTING_FIELDS).map((path) => path.split('.')[0]!), 'wifi']);
  const kept = Object.fromEntries(Object.entries(settings).filter(([key]) => sections.has(key)));
  return `${JSON.stringify({ v: 1, chip: settings.chip, board: settings.board, ...kept }, null, 2)}\n`;
}

/** Reads a file of settings. Throws `ticker.settings_unreadable`. */
export function importSettings(name: string, text: string): object {
  try {
    return settingsFile.parse(JSON.parse(text));
  } catch {
    throw new TickerError('ticker.settings_unreadable', { name });
  }
}

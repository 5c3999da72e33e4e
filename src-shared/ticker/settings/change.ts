import { SETTING_FIELDS } from './fields.ts';
import { valueAt, withValue } from './check.ts';

/** One setting that differs. Secrets are named, never shown. */
export interface SettingChange {
  path: string;
  before: unknown;
  after: unknown;
}

const LISTS = ['wifi', 'ticker.symbols'] as const;
const SECRETS = new Set(['apPass', 'auth.pass']);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The settings of `after` that differ from `before`; what `after` lacks stays as it is. */
export function diffSettings(before: unknown, after: unknown): SettingChange[] {
  return [...Object.keys(SETTING_FIELDS), ...LISTS].flatMap((path) => {
    const [old, wanted] = [valueAt(before, path), valueAt(after, path)];
    // An empty secret that is kept changes nothing.
    const changesNothing = wanted === undefined || isSame(old, wanted) || (path === 'auth.pass' && wanted === '');
    return changesNothing ? [] : [{ path, before: old, after: wanted }];
  });
}

/** The partial document that makes these changes. */
export function documentOf(changes: readonly SettingChange[]): object {
  return changes.reduce<object>((document, { path, after }) => withValue(document, path, after), {});
}

/** The changes that settings read back do not show. Secrets never come back; that they are set does. */
export function missingChanges(changes: readonly SettingChange[], readBack: unknown): SettingChange[] {
  return changes.filter(({ path, after }) => {
    if (path === 'wifi') return !isSame(namesOf(valueAt(readBack, 'wifi')), namesOf(after));
    if (path === 'ticker.symbols') return !isSame(rowsOf(valueAt(readBack, path)), rowsOf(after));
    if (SECRETS.has(path)) return valueAt(readBack, `${path}Set`) !== (after !== '');
    return !isSame(valueAt(readBack, path), after);
  });
}

/** Networks without a name are dropped by the device. */
function namesOf(list: unknown): string[] {
  return (Array.isArray(list) ? (list as { ssid?: string }[]) : []).map(({ ssid = '' }) => ssid).filter(Boolean);
}

/** What a row has if the user did not say. */
const ROW_DEFAULTS = { name: '', source: 'yahoo', range: '', pollSec: 0, qty: 0, cost: 0, above: 0, below: 0 };

/** Rows with what the device adds to them; those without a symbol are dropped. */
function rowsOf(list: unknown): unknown[] {
  const rows = Array.isArray(list) ? (list as Record<string, unknown>[]) : [];
  return rows
    .filter(({ symbol }) => typeof symbol === 'string' && symbol.trim() !== '')
    .map((row) => [row['symbol'], ...Object.entries(ROW_DEFAULTS).map(([key, value]) => row[key] ?? value)]);
}

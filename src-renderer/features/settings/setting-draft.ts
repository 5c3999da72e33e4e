import { SETTINGS, isSecret, type SettingName } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsView } from '../../../src-shared/contract/settings.ts';

/** Form values: texts, or booleans for checkboxes. */
export type Draft = { [N in SettingName]?: string | boolean };
type Kind = 'switch' | 'number' | 'numbers' | 'secret' | 'address' | 'text';

/** The input kind of a setting, derived from its default. */
export function kindOf(name: SettingName): Kind {
  const { fallback } = SETTINGS[name];
  if (isSecret(name)) return 'secret';
  if (typeof fallback === 'boolean') return 'switch';
  if (typeof fallback === 'number') return 'number';
  if (Array.isArray(fallback)) return 'numbers';
  return name.endsWith('_url') ? 'address' : 'text';
}

/** The bounds of a numeric setting. */
export function rangeOf(name: SettingName): { min: number; max: number } | null {
  const schema = SETTINGS[name].schema as { minValue?: number | null; maxValue?: number | null };
  return kindOf(name) === 'number' && typeof schema.minValue === 'number' && typeof schema.maxValue === 'number'
    ? { min: schema.minValue, max: schema.maxValue }
    : null;
}

function textOf(name: SettingName, view: SettingsView): string | boolean {
  if (isSecret(name)) return '';
  const value = (view as Record<string, unknown>)[name];
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.join(', ') : String(value);
}
export const draftOf = (view: SettingsView, names: readonly SettingName[]): Draft =>
  Object.fromEntries(names.map((name) => [name, textOf(name, view)]));

/** Parses a number with a comma or point. Other text is passed on for the server to reject. */
const numberIn = (text: string): number | string =>
  /^-?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : text;

function valueOf(name: SettingName, text: string | boolean): unknown {
  if (typeof text === 'boolean') return text;
  const kind = kindOf(name);
  if (kind === 'number') return numberIn(text);
  return kind === 'numbers'
    ? text
        .split(/[\s,;]+/)
        .filter((part) => part !== '')
        .map(numberIn)
    : text;
}

/** Returns the changed settings; an empty secret means unchanged. */
export function patchOf(view: SettingsView, draft: Draft): Record<string, unknown> {
  const names = Object.keys(draft) as SettingName[];
  return Object.fromEntries(
    names.filter((name) => draft[name] !== textOf(name, view)).map((name) => [name, valueOf(name, draft[name] ?? '')]),
  );
}

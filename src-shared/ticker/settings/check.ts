import { z } from 'zod';
import { TICKER_RANGES } from '../../contract/ticker-ranges.ts';
import {
  MAX_NETWORKS,
  MAX_SETTINGS_BYTES,
  MAX_SSID_BYTES,
  MAX_SYMBOLS,
  MAX_WIFI_PASSWORD_BYTES,
  MIN_SECRET_CHARACTERS,
  type Rule,
  SETTING_FIELDS,
  SYMBOL_LIMITS,
} from './fields.ts';

/** Why a value is refused: the place in the settings, and which rule with its limits. */
export interface SettingProblem {
  /** As in `ticker.points`, `wifi.0.pass`, `ticker.symbols.2.name`. */
  path: string;
  rule: RuleCode;
  params: Readonly<Record<string, string | number>>;
}
export type RuleCode =
  | 'flag'
  | 'whole'
  | 'choice'
  | 'time'
  | 'text'
  | 'empty'
  | 'host'
  | 'address'
  | 'repo'
  | 'zone'
  | 'secret'
  | 'list'
  | 'amount'
  | 'password_first'
  | 'document';

type Values = Readonly<Record<string, unknown>>;

/** A Decimal of the firmware has 18 digits; more of a number is refused there. */
const MAX_AMOUNT = 1e12;
const HOST = /^(?!-)[a-z0-9-]+(?<!-)$/i;
const REPO_PART = /^(?=.*[a-z0-9_])[a-z0-9_.-]+$/i;
const ADDRESS = /^https?:\/\/[a-z0-9._-]{1,63}(?::(\d{1,5}))?(?:[/?#][\x21-\x7e]*)?$/i;
/** std offset [dst [offset] [,rule,rule]] of POSIX, as time zone databases end with it. */
const ZONE =
  /^(?:[a-z]{3,}|<[a-z0-9+-]+>)[+-]?\d{1,2}(?::\d{2}){0,2}(?:(?:[a-z]{3,}|<[a-z0-9+-]+>)(?:[+-]?\d{1,2}(?::\d{2}){0,2})?(?:,[^,]+,[^,]+)?)?$/i;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const countBytes = (text: string): number => new TextEncoder().encode(text).length;
const countCharacters = (text: string): number => [...text].length;
/** Text that is valid UTF-8 and ends where it seems to. */
const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The value at a path such as `ticker.points`. */
export function valueAt(settings: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), settings);
}

/** A copy of settings with another value at a path. */
export function withValue<T extends object>(settings: T, path: string, value: unknown): T {
  const [first = '', ...rest] = path.split('.');
  const inner = isObject(settings) ? settings[first] : undefined;
  return {
    ...settings,
    [first]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest.join('.'), value),
  };
}

/** Checks settings, whole or in part, against the limits of the device. Empty if it would take them. */
export function checkSettings(settings: unknown): SettingProblem[] {
  if (!isObject(settings)) return [{ path: '', rule: 'document', params: { bytes: MAX_SETTINGS_BYTES } }];
  const problems: SettingProblem[] = [];
  if (countBytes(JSON.stringify(settings)) > MAX_SETTINGS_BYTES)
    problems.push({ path: '', rule: 'document', params: { bytes: MAX_SETTINGS_BYTES } });
  for (const [path, rule] of Object.entries<Rule>(SETTING_FIELDS)) {
    const value = valueAt(settings, path);
    if (value === undefined) continue;
    const problem = checkValue(value, rule);
    if (problem !== null) problems.push({ path, ...problem });
  }
  const hasPassword = valueAt(settings, 'auth.passSet') === true || Boolean(valueAt(settings, 'auth.pass'));
  if (valueAt(settings, 'auth.enabled') === true && !hasPassword)
    problems.push({ path: 'auth.enabled', rule: 'password_first', params: {} });
  return [...problems, ...checkNetworks(settings), ...checkSymbols(settings)];
}

type Problem = Omit<SettingProblem, 'path'>;

function checkValue(value: unknown, rule: Rule): Problem | null {
  switch (rule.kind) {
    case 'flag':
      return typeof value === 'boolean' ? null : { rule: 'flag', params: {} };
    case 'whole':
      return Number.isInteger(value) && Number(value) >= rule.low && Number(value) <= rule.high
        ? null
        : { rule: 'whole', params: { low: rule.low, high: rule.high } };
    case 'choice':
      return typeof value === 'string' && rule.choices.includes(value)
        ? null
        : { rule: 'choice', params: { choices: rule.choices.join(', ') } };
    case 'time':
      return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? null : { rule: 'time', params: {} };
    default:
      return checkText(value, rule);
  }
}

function checkText(
  value: unknown,
  rule: Exclude<Rule, { kind: 'flag' | 'whole' | 'choice' | 'time' }>,
): Problem | null {
  const { characters, bytes } = rule;
  if (!fits(value, { characters, bytes })) return { rule: 'text', params: { characters, bytes } };
  const refused: Problem = { rule: rule.kind, params: { characters } };
  switch (rule.kind) {
    case 'text':
      return value === '' ? { rule: 'empty', params: {} } : null;
    case 'host':
      return HOST.test(value) ? null : refused;
    case 'address':
      return value === '' || isAddress(value) ? null : refused;
    case 'repo':
      return value === '' || isRepository(value) ? null : refused;
    case 'zone':
      return ZONE.test(value) ? null : refused;
    case 'secret':
      return value === '' || countCharacters(value) >= MIN_SECRET_CHARACTERS
        ? null
        : { rule: 'secret', params: { least: MIN_SECRET_CHARACTERS, characters } };
  }
}

function fits(value: unknown, { characters, bytes }: { characters: number; bytes: number }): value is string {
  return (
    typeof value === 'string' && isPlain(value) && countCharacters(value) <= characters && countBytes(value) <= bytes
  );
}

function isAddress(text: string): boolean {
  const port = ADDRESS.exec(text);
  return (
    text.length >= 8 && port !== null && (port[1] === undefined || (Number(port[1]) > 0 && Number(port[1]) < 65536))
  );
}

function isRepository(text: string): boolean {
  const parts = text.split('/');
  return parts.length === 2 && parts.every((part) => REPO_PART.test(part));
}

function checkNetworks(settings: Values): SettingProblem[] {
  const { wifi } = settings;
  if (wifi === undefined) return [];
  if (!Array.isArray(wifi) || wifi.length > MAX_NETWORKS || !wifi.every(isObject))
    return [{ path: 'wifi', rule: 'list', params: { most: MAX_NETWORKS } }];
  return wifi.flatMap(({ ssid = '', pass = '' }, at) => {
    const problems: SettingProblem[] = [];
    if (!fits(ssid, { characters: MAX_SSID_BYTES, bytes: MAX_SSID_BYTES }))
      problems.push({
        path: `wifi.${at}.ssid`,
        rule: 'text',
        params: { characters: MAX_SSID_BYTES, bytes: MAX_SSID_BYTES },
      });
    const isOpen = pass === null || pass === '';
    const isLong = fits(pass, { characters: MAX_WIFI_PASSWORD_BYTES, bytes: MAX_WIFI_PASSWORD_BYTES });
    if (!isOpen && !(isLong && countBytes(pass) >= MIN_SECRET_CHARACTERS))
      problems.push({
        path: `wifi.${at}.pass`,
        rule: 'secret',
        params: { least: MIN_SECRET_CHARACTERS, characters: MAX_WIFI_PASSWORD_BYTES },
      });
    return problems;
  });
}

/** Seconds between fetches of one symbol; 0 is the interval of all. */
const ROW_INTERVAL = { kind: 'whole', low: 10, high: 3600 } as const;
const amount = z.number().min(0).max(MAX_AMOUNT);

function checkSymbols(settings: Values): SettingProblem[] {
  const symbols = valueAt(settings, 'ticker.symbols');
  if (symbols === undefined) return [];
  if (!Array.isArray(symbols) || symbols.length > MAX_SYMBOLS || !symbols.every(isObject))
    return [{ path: 'ticker.symbols', rule: 'list', params: { most: MAX_SYMBOLS } }];
  return symbols.flatMap((row, at) => {
    const problems: SettingProblem[] = [];
    for (const key of ['symbol', 'name'] as const)
      if (row[key] !== undefined && !fits(row[key], SYMBOL_LIMITS[key]))
        problems.push({ path: `ticker.symbols.${at}.${key}`, rule: 'text', params: SYMBOL_LIMITS[key] });
    if (row['range'] !== undefined && row['range'] !== '' && !TICKER_RANGES.some((range) => range === row['range']))
      problems.push({
        path: `ticker.symbols.${at}.range`,
        rule: 'choice',
        params: { choices: TICKER_RANGES.join(', ') },
      });
    if (row['pollSec'] !== undefined && row['pollSec'] !== 0 && checkValue(row['pollSec'], ROW_INTERVAL) !== null)
      problems.push({ path: `ticker.symbols.${at}.pollSec`, rule: 'whole', params: { low: 10, high: 3600 } });
    for (const key of ['qty', 'cost', 'above', 'below'] as const)
      if (row[key] !== undefined && !amount.safeParse(row[key]).success)
        problems.push({ path: `ticker.symbols.${at}.${key}`, rule: 'amount', params: {} });
    return problems;
  });
}

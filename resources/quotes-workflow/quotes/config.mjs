import { readFileSync } from 'node:fs';

/** valor-marketId-currencyId, the only text that becomes part of a path or query. Matches `3886335-4-1`. */
const LISTING_KEY = /^\d{1,12}-\d{1,6}-\d{1,6}$/;

/** Daily closes to request per time frame; the portal stores about half a year. */
const CLOSES = {
  '1d': 2,
  '5d': 5,
  '1mo': 22,
  '3mo': 65,
  '6mo': 130,
  ytd: 130,
  '1y': 260,
  '2y': 400,
  '5y': 400,
  max: 400,
};

const DEFAULTS = { range: '6mo', points: 48, keepMinutes: 60 };
/** The maximum that a device draws. */
const MAX_POINTS = 60;
const MAX_KEEP_MINUTES = 7 * 24 * 60;
const MAX_SYMBOLS = 200;

/** The configuration is invalid; the message says what to change. */
export class ConfigError extends Error {}

/**
 * @typedef {{ key: string, name?: string, range: string, points: number, closes: number }} Listing
 * @typedef {{ listings: Listing[], faults: string[], keepMinutes: number }} Config
 */

/**
 * Reads quotes-config.json. An invalid entry is left out and reported in `faults`, so that a typo does not affect the
 * others.
 * @param {string} path
 * @returns {Config}
 * @throws {ConfigError} if no entry is valid
 */
export function readConfig(path) {
  const raw = parse(path);
  if (!isObject(raw)) throw new ConfigError(`${path} must hold an object with a list "symbols".`);
  if (!Array.isArray(raw.symbols)) throw new ConfigError(`${path} has no list "symbols".`);
  if (raw.symbols.length === 0)
    throw new ConfigError(`${path} lists no symbols: add at least one { "key": "valor-marketId-currencyId" }.`);
  if (raw.symbols.length > MAX_SYMBOLS)
    throw new ConfigError(`${path} lists ${raw.symbols.length} symbols; at most ${MAX_SYMBOLS} are asked for.`);
  const common = {
    range: rangeOf(raw.range) ?? fail(`${path}: range ${shown(raw.range)} is not a timeframe.`),
    points: pointsOf(raw.points) ?? fail(`${path}: points ${shown(raw.points)} is not a number.`),
  };
  /** @type {Map<string, Listing>} */
  const listings = new Map();
  /** @type {string[]} */
  const faults = [];
  for (const [index, row] of raw.symbols.entries()) {
    const where = `symbols[${index}]`;
    if (!isObject(row) || typeof row.key !== 'string' || !LISTING_KEY.test(row.key)) {
      faults.push(
        `${where}: ${shown(isObject(row) ? row.key : row)} is not a listing key ` +
          '(valor-marketId-currencyId, such as 3886335-4-1).',
      );
      continue;
    }
    const range = rangeOf(row.range, common.range);
    const points = pointsOf(row.points, common.points);
    if (range === undefined)
      faults.push(
        `${where} (${row.key}): range ${shown(row.range)} is not a timeframe (${Object.keys(CLOSES).join(', ')}).`,
      );
    else if (points === undefined) faults.push(`${where} (${row.key}): points ${shown(row.points)} is not a number.`);
    else if (listings.has(row.key)) faults.push(`${where}: ${row.key} is listed twice.`);
    else
      listings.set(row.key, {
        key: row.key,
        ...(typeof row.name === 'string' && row.name.trim() !== '' && { name: row.name.trim() }),
        range,
        points,
        closes: CLOSES[/** @type {keyof typeof CLOSES} */ (range)],
      });
  }
  return {
    listings: [...listings.values()],
    faults,
    keepMinutes: keepOf(raw.keepMinutes) ?? fail(`${path}: keepMinutes ${shown(raw.keepMinutes)} is not a number.`),
  };
}

/** @param {string} path @returns {unknown} */
function parse(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError(`${path} cannot be read: copy the example beside the fetcher and fill in your listing keys.`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {unknown} value @param {string} [common] */
function rangeOf(value, common = DEFAULTS.range) {
  if (value === undefined || value === null) return common;
  const range = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return Object.hasOwn(CLOSES, range) ? range : undefined;
}

/** @param {unknown} value @param {number} [common] Zero means: no sparkline. */
function pointsOf(value, common = DEFAULTS.points) {
  if (value === undefined || value === null) return common;
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(MAX_POINTS, Math.max(0, Math.trunc(value)))
    : undefined;
}

/** @param {unknown} value */
function keepOf(value) {
  if (value === undefined || value === null) return DEFAULTS.keepMinutes;
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(MAX_KEEP_MINUTES, Math.max(0, value))
    : undefined;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {unknown} value */
const shown = (value) => JSON.stringify(value)?.slice(0, 60);
/** @param {string} message @returns {never} */
function fail(message) {
  throw new ConfigError(message);
}

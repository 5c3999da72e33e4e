import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf } from './quote.mjs';

/**
 * Returns the last good file of a key that failed, with the same price and marked as stale. It stays `ok` for
 * `keepMinutes`, so that one failed run does not blank a device; after that a device, which has no clock of its own,
 * must not show the price as current.
 * @param {import('./quote.mjs').Quote} last
 * @param {{ now: Date, keepMinutes: number, error: string }} options
 * @returns {import('./quote.mjs').Quote}
 */
export function carryForward(last, { now, keepMinutes, error }) {
  const age = Math.max(0, Math.round((now.getTime() - Date.parse(last.updated)) / 1000));
  return { ...last, ok: age <= keepMinutes * 60, stale: true, age, error };
}

/**
 * Reads a file of the previous publication; undefined if there is none, or it has no price.
 * @param {string} folder
 * @param {string} key
 * @returns {import('./quote.mjs').Quote | undefined}
 */
export function lastGood(folder, key) {
  try {
    const quote = JSON.parse(readFileSync(join(folder, `${key}.json`), 'utf8'));
    const sound =
      quote.symbol === key &&
      typeof quote.price === 'number' &&
      (numberOf(quote.price) ?? 0) > 0 &&
      Number.isFinite(Date.parse(quote.updated));
    return sound ? quote : undefined;
  } catch {
    return undefined;
  }
}

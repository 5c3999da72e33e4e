import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf } from './quote.mjs';

/**
 * The last good file of a key that failed now: same price, told as old. It stays `ok` for `keepMinutes`, so that one
 * failed run does not blank a
 * device; after that a device, which has no clock of its own, must not take it for fresh.
 * @param {import('./quote.mjs').Quote} last
 * @param {{ now: Date, keepMinutes: number, error: string }} told
 * @returns {import('./quote.mjs').Quote}
 */
export function carryForward(last, { now, keepMinutes, error }) {
  const age = Math.max(0, Math.round((now.getTime() - Date.parse(last.updated)) / 1000));
  return { ...last, ok: age <= keepMinutes * 60, stale: true, age, error };
}

/**
 * A file of the previous publication; undefined when there is none, or none that a price can be taken from.
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

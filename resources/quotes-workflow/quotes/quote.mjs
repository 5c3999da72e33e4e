import { PortalError } from './portal.mjs';

/**
 * The webhook object that a device reads, and fields for people and this publisher (`updated`, `age`, `stale`,
 * `error`).
 * @typedef {{ symbol: string, name: string, price: number, currency?: string, change?: number, changePct?: number,
 * spark: number[], range: string, ok: boolean, updated: string, age: number, stale?: true, error?: string }} Quote
 */

/**
 * Fetches one listing from the portal. A missing sparkline is not an error; a missing price is.
 * @param {import('./portal.mjs').Portal} portal
 * @param {import('./config.mjs').Listing} listing
 * @param {Date} now
 * @returns {Promise<Quote>}
 * @throws {PortalError}
 */
export async function fetchQuote(portal, listing, now) {
  const node = await portal.quote(listing.key);
  if (!node) throw new PortalError('the portal does not know this listing key', { again: false });
  const price = numberOf(node.lval);
  if (price === undefined || price <= 0) throw new PortalError('the portal has no price for it', { again: false });
  const closes = listing.points < 1 ? [] : await portal.series(listing.key, listing.closes).catch(() => []);
  const currency = textOf(node.mCur);
  return {
    symbol: listing.key,
    name: listing.name ?? textOf(node.mShortName) ?? listing.key,
    price,
    ...(currency && { currency }),
    ...changesOf(price, numberOf(node.iNetVperprV), numberOf(node.perfPercentage)),
    spark: sparkOf(closes, listing.points),
    range: listing.range.toUpperCase(),
    ok: true,
    updated: now.toISOString(),
    age: 0,
  };
}

/**
 * Parses a Swiss number: `1'234.50`, `1 234,5`, `-0.35`. The last of two different separators is the decimal mark.
 * @param {unknown} value
 * @returns {number | undefined} undefined unless it is a finite number
 */
export function numberOf(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const plain = value.replace(/[\s'’]/g, '').replace('−', '-');
  const comma = plain.lastIndexOf(',');
  const point = plain.lastIndexOf('.');
  let english = plain;
  if (comma >= 0 && point > comma) english = plain.replaceAll(',', '');
  else if (comma >= 0) english = plain.replaceAll('.', '').replace(',', '.');
  return /^[+-]?\d+(\.\d+)?$/.test(english) ? Number(english) : undefined;
}

/**
 * Reduces a series to the number of points that the device draws; the newest close is always the last point.
 * @param {unknown[]} closes oldest first, may contain nulls
 * @param {number} points
 */
export function sparkOf(closes, points) {
  const valid = closes.flatMap((close) => {
    const value = numberOf(close);
    return value !== undefined && value > 0 ? [value] : [];
  });
  const newest = valid.at(-1);
  if (valid.length < 2 || points < 1 || newest === undefined) return [];
  if (valid.length <= points) return valid.map(rounded);
  if (points === 1) return [rounded(newest)];
  return Array.from({ length: points }, (_, index) =>
    rounded(valid[Math.round((index * (valid.length - 1)) / (points - 1))] ?? newest),
  );
}

/**
 * Computes the change from the percentage, or the percentage from the change, if one is missing.
 * @param {number} price
 * @param {number | undefined} change
 * @param {number | undefined} percent
 */
function changesOf(price, change, percent) {
  const before = price - (change ?? 0);
  const changePct = percent ?? (change !== undefined && before > 0 ? rounded((change / before) * 100) : undefined);
  const changeAbs =
    change ?? (percent !== undefined && percent > -100 ? rounded((price * percent) / (100 + percent)) : undefined);
  return { ...(changeAbs !== undefined && { change: changeAbs }), ...(changePct !== undefined && { changePct }) };
}

/** Rounds to four decimals, or six significant digits below one. @param {number} value */
const rounded = (value) =>
  Math.abs(value) >= 1 || value === 0 ? Math.round(value * 10_000) / 10_000 : Number(value.toPrecision(6));
/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

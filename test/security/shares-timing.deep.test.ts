import { describe, expect } from 'vitest';
import type { Household } from '../support/household.ts';
import { sendRequest } from '../support/raw-http.ts';
import { test } from '../support/fixtures.ts';

/** Whether the time of an answer tells if a link is valid. */

const PER_GROUP = 1000;
/** A difference that chance makes in one run of a thousand. */
const MIN_P = 0.001;

let household: Household, port: number;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always', VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1' },
});
it.beforeAll(async ({ served, household: records }) => {
  household = records;
  port = Number(new URL(served.shareUrl ?? '').port);
});

/** Two-sided p of the Mann-Whitney U test, by the normal approximation with correction for ties. */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, ofA: true })), ...b.map((value) => ({ value, ofA: false }))].sort(
    (x, y) => x.value - y.value,
  );
  let [rankSum, ties] = [0, 0];
  for (let i = 0; i < all.length;) {
    let j = i;
    while (j < all.length && all[j]?.value === all[i]?.value) j += 1;
    const size = j - i;
    rankSum += all.slice(i, j).filter(({ ofA }) => ofA).length * ((i + 1 + j) / 2);
    ties += size ** 3 - size;
    i = j;
  }
  const [n, m, total] = [a.length, b.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const sigma = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = Math.abs(u - (n * m) / 2) / sigma;
  return 2 * (1 - normal(z));
}
/** Distribution of the standard normal (Abramowitz and Stegun, 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
}
const median = (values: readonly number[]): number => [...values].sort((x, y) => x - y)[values.length >> 1] ?? 0;

/** The token of a share with a code that can be tried: more is done for it than for one without. */
function shareWithCode(): string {
  const { id, token } = household.make.share();
  household.db
    .prepare('INSERT INTO share_codes (share_id, code_hash, expires_at, created_at) VALUES (?, ?, ?, ?)')
    .run(id, `${'a'.repeat(22)}.${'b'.repeat(43)}`, '2099-01-01T00:00:00', '2026-01-01T00:00:00');
  return token;
}

/** Times of a call for known and unknown links, in random order, each from an address of its own. */
async function measure(call: (token: string, address: string) => Promise<unknown>) {
  const known = Array.from({ length: PER_GROUP }, () => ({ token: shareWithCode(), isKnown: true }));
  const unknown = Array.from({ length: PER_GROUP }, (_, n) => ({ token: `${n}`.padStart(43, 'u'), isKnown: false }));
  const order = [...known, ...unknown]
    .map((one) => ({ one, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (const [n, { token, isKnown }] of order.entries()) {
    const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    const begin = performance.now();
    await call(token, address);
    times[isKnown ? 'known' : 'unknown'].push(performance.now() - begin);
  }
  return { p: mannWhitney(times.known, times.unknown), known: median(times.known), unknown: median(times.unknown) };
}

describe('the time of an answer does not tell whether a link is valid', () => {
  it.each([
    ['request-otp', 204, ''],
    ['verify-otp', 401, '{"code":"000000"}'],
  ] as const)('to %s', { timeout: 1_800_000 }, async (name, status, body) => {
    household.db.prepare('DELETE FROM share_attempts').run();
    const result = await measure(async (token, address) => {
      const headers = { 'x-forwarded-for': address };
      const reply = await sendRequest(port, 'POST', `/api/share/${token}/${name}`, headers, body);
      if (reply.status !== status) throw new Error(`${reply.status} ${reply.text}`);
    });
    console.info(
      `${name}: p ${result.p.toFixed(3)}, medians ${result.known.toFixed(2)} ms known, ${result.unknown.toFixed(2)} ms unknown`,
    );
    expect(result.p).toBeGreaterThan(MIN_P);
  });
});

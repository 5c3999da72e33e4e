/** @module-tag long */
import { expect, test } from 'vitest';
import { inDepth } from '../support/depth.ts';
import { crashTest } from './crash.ts';

const KILLS = inDepth(4, 20);

test('kills at random moments lose nothing, duplicate nothing and leave nothing half done', async () => {
  const report = await crashTest({ kills: KILLS, seed: 'twenty', say: () => undefined });
  expect(report.broken).toEqual([]);
  // A run that interrupts no work proves nothing.
  expect(report.stored).toBeGreaterThan(KILLS / 2);
  expect(report.interrupted).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { crashTest } from './crash.ts';

test('loses nothing, doubles nothing and leaves nothing half done after twenty kills at random moments', async () => {
  const report = await crashTest({ kills: 20, seed: 'twenty', say: () => undefined });
  expect(report.broken).toEqual([]);
  // A run that killed nobody at work would prove nothing.
  expect(report.stored).toBeGreaterThan(10);
  expect(report.interrupted).toBeGreaterThan(0);
});

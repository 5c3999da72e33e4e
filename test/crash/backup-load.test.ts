import { expect, test } from 'vitest';
import { backupUnderLoad } from './backup-load.ts';

test('backups that are made while 20 uploads a second go on restore clean, with every upload that was answered before', async () => {
  const report = await backupUnderLoad({ seconds: 6, rate: 20, backups: 2, say: () => undefined });
  expect(report.refused).toBe(0);
  expect(report.backups.map(({ kind, faults }) => [kind, faults])).toEqual([
    ['folder', []],
    ['folder', []],
    ['archive', []],
  ]);
  // Backups of an idle vault would prove nothing.
  for (const backup of report.backups) expect([backup.before > 0, backup.during > 0]).toEqual([true, true]);
});

/** @module-tag long */
import { expect, test } from 'vitest';
import { inDepth } from '../support/depth.ts';
import { backupUnderLoad } from './backup-load.ts';

test('backups made during 20 uploads a second restore cleanly with every confirmed upload', async () => {
  const report = await backupUnderLoad({ seconds: inDepth(3, 6), rate: 20, backups: 2, say: () => undefined });
  expect(report.refusals).toEqual([]);
  expect(report.backups.map(({ kind, faults }) => [kind, faults])).toEqual([
    ['folder', []],
    ['folder', []],
    ['archive', []],
  ]);
  // A backup of an idle vault would prove nothing; uploads are sent with each, however slow the machine.
  for (const backup of report.backups) expect([backup.before > 0, backup.during > 0]).toEqual([true, true]);
});

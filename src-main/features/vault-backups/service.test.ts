import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackupOverview } from '../../../src-shared/contract/vault-backups.ts';
import { addDocument, openTestVault, testLog, type TestVault } from '../../../test/support/vault.ts';
import { createAudit } from '../../platform/audit/audit.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { createSecrets } from '../../platform/secrets/service.ts';
import { createFileWorker, type FileWorker } from '../../platform/vault/file-worker.ts';
import { createVaultBackups, type VaultBackups } from './service.ts';

const HOUR = 3_600_000,
  DAY = 24 * HOUR;
const PLAN = {
  every: 'day',
  at: '03:30',
  keep_daily: 2,
  keep_weekly: 1,
  keep_monthly: 1,
  include_secrets: false,
} as const;
let t: TestVault, files: FileWorker, backups: VaultBackups, place: string, disk: string;

beforeEach(() => {
  t = openTestVault();
  place = mkdtempSync(join(tmpdir(), 'hearth-plan-'));
  disk = join(place, 'disk');
  mkdirSync(disk);
  addDocument(t, 'patients/elena/2024/a.pdf', 'a');
  files = createFileWorker(systemClock);
  let ids = 0;
  backups = createVaultBackups({
    db: t.db,
    audit: createAudit({ db: t.db, clock: t.clock }),
    root: t.root,
    clock: t.clock,
    log: testLog(),
    ids: () => `id-${(ids += 1)}`,
    files,
    secrets: createSecrets({ folder: place, keychain: null }),
    announce: () => undefined,
    restart: () => undefined,
  });
  backups.start();
});
afterEach(async () => {
  await backups.close();
  await files.close();
  t.close();
  rmSync(place, { recursive: true, force: true });
});

/** Time passes, minute by minute as far as the watch is concerned; then whatever began comes to its end. */
async function pass(ms: number): Promise<BackupOverview> {
  t.clock.advance(ms);
  for (let tries = 0; tries < 20; tries += 1) await new Promise((resolve) => setImmediate(resolve));
  t.clock.advance(61_000);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = backups.overview();
    if (now.running === null) return now;
  }
}

describe('planned backups', () => {
  it('are made when they are due, once, and as many stay as were asked for', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    expect((await pass(HOUR)).items).toHaveLength(0);
    let now = await pass(DAY);
    expect(now.items).toMatchObject([{ scheduled: true, status: 'done', present: true }]);
    expect(t.db.prepare('SELECT action, username, resource_id, details, ip_address FROM audit_log').all()).toEqual([
      {
        action: 'backup.create',
        username: null,
        resource_id: String(now.items[0]?.id),
        details: JSON.stringify({ scheduled: true, status: 'done' }),
        ip_address: null,
      },
    ]);
    expect((await pass(HOUR)).items).toHaveLength(1);
    for (let day = 0; day < 5; day += 1) now = await pass(DAY);
    // Two days, the last of the week before, and the last of the month, which is one of these.
    expect(now.items.length).toBeGreaterThanOrEqual(2);
    expect(now.items.length).toBeLessThanOrEqual(4);
    expect(readdirSync(join(disk, 'snapshots'))).toHaveLength(now.items.length);
  });

  it('that were missed are made up for once', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    expect((await pass(10 * DAY)).items).toHaveLength(1);
  });

  it('wait for a disk that is not there, and write nothing elsewhere', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    renameSync(disk, `${disk}-away`);
    mkdirSync(disk);
    const away = await pass(2 * DAY);
    expect([away.items, away.target.state, readdirSync(disk)]).toEqual([[], 'foreign', []]);
    rmSync(disk, { recursive: true });
    renameSync(`${disk}-away`, disk);
    expect((await pass(0)).items).toMatchObject([{ status: 'done' }]);
  });

  it('are none without a plan', async () => {
    backups.savePlan({ ...PLAN, every: 'off', folder: disk });
    const now = await pass(30 * DAY);
    expect([now.items, now.next_at]).toEqual([[], null]);
  });

  it('leave those alone that were made by hand, and those of another folder', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    backups.run();
    await pass(0);
    const other = join(place, 'other');
    mkdirSync(other);
    await pass(DAY);
    backups.savePlan({ ...PLAN, keep_daily: 1, keep_weekly: 0, keep_monthly: 0, folder: other });
    for (let day = 0; day < 3; day += 1) await pass(DAY);
    expect([readdirSync(join(disk, 'snapshots')).length, readdirSync(join(other, 'snapshots')).length]).toEqual([2, 1]);
  });
});

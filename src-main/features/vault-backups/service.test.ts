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

/** Advances the clock past one check of the schedule and waits until no task runs. */
async function advance(ms: number): Promise<BackupOverview> {
  t.clock.advance(ms);
  for (let tries = 0; tries < 20; tries += 1) await new Promise((resolve) => setImmediate(resolve));
  t.clock.advance(61_000);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = backups.overview();
    if (now.running === null) return now;
  }
}

describe('scheduled backups', () => {
  it('are created once when they are due, and as many remain as the plan says', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    expect((await advance(HOUR)).items).toHaveLength(0);
    let now = await advance(DAY);
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
    expect((await advance(HOUR)).items).toHaveLength(1);
    for (let day = 0; day < 5; day += 1) now = await advance(DAY);
    // Two days, the last of the previous week, and the last of the month, which is one of these.
    expect(now.items.length).toBeGreaterThanOrEqual(2);
    expect(now.items.length).toBeLessThanOrEqual(4);
    expect(readdirSync(join(disk, 'snapshots'))).toHaveLength(now.items.length);
  });

  it('run once after any number of missed times', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    expect((await advance(10 * DAY)).items).toHaveLength(1);
  });

  it('wait for a missing disk and write nothing to its mount point', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    renameSync(disk, `${disk}-away`);
    mkdirSync(disk);
    const away = await advance(2 * DAY);
    expect([away.items, away.target.state, readdirSync(disk)]).toEqual([[], 'foreign', []]);
    rmSync(disk, { recursive: true });
    renameSync(`${disk}-away`, disk);
    expect((await advance(0)).items).toMatchObject([{ status: 'done' }]);
  });

  it('do not run when the plan is off', async () => {
    backups.savePlan({ ...PLAN, every: 'off', folder: disk });
    const now = await advance(30 * DAY);
    expect([now.items, now.next_at]).toEqual([[], null]);
  });

  it('do not remove manual backups or those of another folder', async () => {
    backups.savePlan({ ...PLAN, folder: disk });
    backups.run();
    await advance(0);
    const other = join(place, 'other');
    mkdirSync(other);
    await advance(DAY);
    backups.savePlan({ ...PLAN, keep_daily: 1, keep_weekly: 0, keep_monthly: 0, folder: other });
    for (let day = 0; day < 3; day += 1) await advance(DAY);
    expect([readdirSync(join(disk, 'snapshots')).length, readdirSync(join(other, 'snapshots')).length]).toEqual([2, 1]);
  });
});

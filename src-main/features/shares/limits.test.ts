import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import { createAttemptRepository } from './attempt-repository.ts';
import { createShareKeys } from './keys.ts';
import { createShareLimits } from './limits.ts';

const HOUR = 3_600_000;

it('lets a link send twenty e-mails in a day, and others send theirs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-limits-'));
  const db = openTestDatabase(join(folder, 'vault.db'));
  try {
    let time = Date.parse('2026-03-01T10:00:00Z');
    const limits = createShareLimits({
      attempts: createAttemptRepository(db),
      clock: { now: () => time, sleep: () => Promise.resolve(true) },
      keys: createShareKeys(Buffer.alloc(32, 7)),
    });
    for (let mail = 1; mail <= 20; mail += 1) {
      expect(limits.admitMail('one link'), `e-mail ${mail}`).toBe(true);
      time += HOUR / 2;
    }
    expect([limits.admitMail('one link'), limits.admitMail('another')]).toEqual([false, true]);
    // The first of them is a day old then.
    time += 14 * HOUR + 1000;
    expect([limits.admitMail('one link'), limits.admitMail('one link')]).toEqual([true, false]);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../../../test/support/vault.ts';
import { createAudit } from '../../platform/audit/audit.ts';
import { toTimestamp } from '../../platform/kernel/clock.ts';
import { createAuth, type AuthService } from './service.ts';

const DAY_MS = 86_400_000;
let vault: TestVault;
beforeEach(() => {
  vault = openTestVault();
});
afterEach(() => vault.close());

function openAuth(): AuthService {
  const { db, clock } = vault;
  return createAuth({ db, clock, audit: createAudit({ db, clock }), patients: {} as never, sessionTtlHours: () => 24 });
}

it('expires sessions, and deletes them after three months', () => {
  const { db, clock } = vault;
  db.prepare(
    `INSERT INTO users (id, username, username_key, display_name, role, created_at)
      VALUES (1, 'ann', 'ann', 'Ann', 'admin', 'x')`,
  ).run();
  const { cookieValue } = openAuth().signIn(
    { id: 1, username: 'ann', displayName: 'Ann', role: 'admin' },
    { ip: '127.0.0.1', userAgent: 'x', sessionId: null },
  );
  const stored = (): unknown => db.prepare('SELECT count(*) FROM sessions').pluck().get();
  expect(openAuth().resolve(cookieValue)).toMatchObject({ username: 'ann' });
  clock.advance(DAY_MS + 1000);
  expect(openAuth().resolve(cookieValue)).toBeNull();
  expect(db.prepare('SELECT expires_at < ? FROM sessions').pluck().get(toTimestamp(clock.now()))).toBe(1);
  clock.advance(89 * DAY_MS);
  openAuth();
  expect(stored()).toBe(1);
  clock.advance(2 * DAY_MS);
  openAuth();
  expect(stored()).toBe(0);
});

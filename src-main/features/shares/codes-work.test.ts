import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FAR_FUTURE } from '../../../test/support/household-scope.ts';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import { openSplitDatabase, type SplitDatabase } from '../../platform/database/split-database.ts';
import { createLog } from '../../platform/kernel/log.ts';
import type { Codes } from './codes.ts';
import { createShareKeys } from './keys.ts';
import { createRecipients } from './service.ts';

const VAULT_KEY = Buffer.alloc(32, 7);
const VISITOR = { ip: '203.0.113.1', userAgent: 'test' };

let folder: string, db: SplitDatabase, codes: Codes;
/** Transactions in the order in which they ended: their rows, and whether the reply had been sent. */
let written: { rows: number; isAfterReply: boolean }[], hasReplied: boolean;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-code-work-'));
  const file = join(folder, 'vault.db');
  const whole = openTestDatabase(file);
  whole.sqlite.exec(
    `INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena Keller', '')`,
  );
  const keys = createShareKeys(VAULT_KEY);
  for (const [name, end] of [
    ['open', null],
    ['fresh', null],
    ['revoked', '2026-01-01T00:00:00'],
  ] as const)
    whole
      .prepare(
        `INSERT INTO shares (share_id, token_hash, token_encrypted, patient_id, recipient_label, expires_at, revoked_at,
          created_at) VALUES (?, ?, '', 1, 'Dr. Frisch', '${FAR_FUTURE}', ?, '')`,
      )
      .run(name, keys.hashSecret(name), end);
  whole.close();
  db = openSplitDatabase(file);
  let before = 0;
  const changes = (): number => db.writer.sqlite.prepare('SELECT total_changes()').pluck().get() as number;
  db.writer.afterCommit(() => {
    written.push({ rows: changes() - before, isAfterReply: hasReplied });
    before = changes();
  });
  const nobody = { watermark: {} as never, renderer: {} as never, resolve: String, ocr: () => Promise.reject() };
  ({ codes } = createRecipients({
    ...{ db, ...nobody, vaultKey: VAULT_KEY, log: createLog('silent'), sendCode: () => null, translator: null },
    clock: { now: Date.now, sleep: () => new Promise((resolve) => setImmediate(() => resolve(true))) },
  }));
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

async function workOf(reply: () => unknown): Promise<typeof written> {
  [written, hasReplied] = [[], false];
  await Promise.resolve(reply()).catch(() => undefined);
  hasReplied = true;
  await codes.settled();
  return written;
}

it('is requested and tried with the same writes, before and after the reply, whether or not a link exists', async () => {
  await workOf(() => codes.request('open', VISITOR, 'en'));
  const request = (token: string) => workOf(() => codes.request(token, VISITOR, 'en'));
  const ask = await request('open');
  expect(ask).toEqual([{ rows: expect.any(Number), isAfterReply: true }]);
  for (const token of ['unknown', 'revoked']) expect([token, await request(token)]).toEqual([token, ask]);
  const attempt = (token: string) => workOf(() => codes.verify(token, 'none', VISITOR, { session: null, place: null }));
  const wrong = await attempt('open');
  expect(wrong.map(({ isAfterReply }) => isAfterReply)).toEqual([false, true]);
  for (const token of ['unknown', 'fresh', 'revoked']) expect([token, await attempt(token)]).toEqual([token, wrong]);
  // What only takes time does not fill the table, from which the oldest rows are removed.
  const idle = db.reader.prepare("SELECT count(*) FROM share_attempts WHERE kind = 'idle'").pluck();
  expect(idle.get()).toBe(4);
});

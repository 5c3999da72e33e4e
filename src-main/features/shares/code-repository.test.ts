import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import type { Database } from '../../platform/database/connection.ts';
import { createCodeRepository, type CodeRecord, type CodeRepository } from './code-repository.ts';

const [CREATED, NOW, LATER] = ['2026-03-01T10:00:00', '2026-03-01T10:05:00', '2026-03-01T10:10:00'];
const SHARE = 'share-1';

let folder: string, db: Database, codes: CodeRepository;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-codes-'));
  db = openTestDatabase(join(folder, 'vault.db'));
  db.sqlite.exec(`
    INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena Keller', '');
    INSERT INTO shares (share_id, token_hash, token_encrypted, patient_id, recipient_label, expires_at, created_at)
      VALUES ('${SHARE}', 'hash', 'sealed', 1, 'Dr. Frisch', '2099-01-01T00:00:00', '');`);
  codes = createCodeRepository(db);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function issue(): CodeRecord {
  const code = { share_id: SHARE, code_hash: 'h', code_encrypted: 'c', expires_at: LATER, created_at: CREATED };
  codes.insert(code);
  return codes.newest(SHARE)!;
}

it('cancels a code once; it is neither read nor used any more, not even by an attempt that began before', () => {
  expect(codes.cancel(SHARE, NOW)).toBe(false);
  const code = issue();
  expect([codes.cancel(SHARE, NOW), codes.cancel(SHARE, NOW)]).toEqual([true, false]);
  expect(codes.newest(SHARE)).toMatchObject({ id: code.id, code_encrypted: null, used_at: null, expires_at: NOW });
  expect(codes.use(code, NOW)).toBe(false);
});

it('does not call a used or replaced code cancelled', () => {
  issue();
  const code = issue();
  expect([codes.use(code, NOW), codes.cancel(SHARE, NOW)]).toEqual([true, false]);
});

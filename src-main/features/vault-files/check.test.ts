import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { addDocument, addPatient, openTestVault, testLog, type TestVault } from '../../../test/support/vault.ts';
import { createAccess } from '../../platform/access/access.ts';
import { createAudit } from '../../platform/audit/audit.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { createVaultChecks, type VaultChecks } from './check.ts';
import { createFileWorker, type FileWorker } from '../../platform/vault/file-worker.ts';

/** A check processes a few hundred files in one step. */
const FILES = inDepth(400, 1000);
const FEW_FILES = 20;
const HOUR = 3_600_000;
let t: TestVault, files: FileWorker, announced: LiveMessage[], patient: number;
const user: UserCaller = {
  kind: 'user',
  ip: '',
  userId: 1,
  username: 'ann',
  displayName: 'Ann',
  role: 'admin',
  sessionId: 's',
};

beforeEach(() => {
  t = openTestVault();
  files = createFileWorker(systemClock);
  announced = [];
  patient = addPatient(t.db);
  t.db
    .prepare(
      `INSERT INTO users (username, username_key, display_name, role, created_at)
        VALUES ('ann', 'ann', 'Ann', 'admin', 'x')`,
    )
    .run();
  t.db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (1, ?, 'owner')").run(patient);
});
afterEach(async () => {
  await files.close();
  t.close();
});

function addDocuments(count: number): void {
  t.db.transaction(() => {
    for (let n = 0; n < count; n += 1) addDocument(t, `patients/elena-keller/${n % 10}/${n}.pdf`, `page ${n}`, patient);
  });
}
const checks = (announce: (message: LiveMessage) => void = (message) => announced.push(message)): VaultChecks =>
  createVaultChecks({
    db: t.db,
    root: t.root,
    clock: t.clock,
    log: testLog(),
    access: createAccess({ db: t.db }),
    audit: createAudit({ db: t.db, clock: t.clock }),
    files,
    announce,
  });
async function ended(check: Pick<VaultChecks, 'state'>) {
  for (;;) {
    const state = check.state(user);
    if (state.check?.status !== 'running') return state;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
function flipOneBit(path: string): void {
  const absolute = join(t.root, path);
  const bytes = readFileSync(absolute);
  bytes[2] = (bytes[2] ?? 0) ^ 0b0100_0000;
  writeFileSync(absolute, bytes);
}

test('a check reports the one file with a flipped bit and no other', async () => {
  addDocuments(FILES);
  const victim = 'patients/elena-keller/7/377.pdf';
  flipOneBit(victim);
  const check = checks();
  check.start(user);
  const { check: found, last_whole_at } = await ended(check);
  expect(found).toMatchObject({
    status: 'done',
    documents: FILES,
    files: FILES - 1,
    faults: [{ kind: 'changed', path: victim, document_id: 378, same_as: null }],
  });
  expect(last_whole_at).toBeNull();
  // Progress was reported in slices, from nothing to all.
  const steps = announced.flatMap((message) => (message.kind === 'check' ? [message.documents] : []));
  expect(steps.length).toBeGreaterThan(4);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});

test('a check continues after a restart and compares no file twice', async () => {
  addDocuments(FILES);
  let first: VaultChecks | null = null;
  first = checks((message) => {
    if (message.kind === 'check' && message.documents >= FILES / 4) void first?.close();
  });
  first.start(user);
  await first.close();
  await ended({ state: () => ({ ...first!.state(user), check: null }) });
  const halfway = first.state(user).check;
  expect(halfway?.status).toBe('running');
  flipOneBit('patients/elena-keller/9/399.pdf');
  const second = checks();
  second.resume();
  const { check: found } = await ended(second);
  expect(found).toMatchObject({ id: halfway?.id, status: 'done', documents: FILES, files: FILES - 1 });
  expect(found?.faults).toHaveLength(1);
});

test('a check that a user stopped does not continue by itself', async () => {
  addDocuments(FILES);
  const check = checks();
  check.start(user);
  expect((await check.stop(user)).check?.status).toBe('cancelled');
  const next = checks();
  next.resume();
  expect(next.state(user).check?.status).toBe('cancelled');
});

test('checks the vault once a week and records it in the audit log', async () => {
  addDocuments(FEW_FILES);
  const check = checks();
  check.resume();
  const pass = async (ms: number): Promise<number> => {
    t.clock.advance(ms);
    await ended(check);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return t.db.prepare('SELECT count(*) FROM vault_checks').pluck().get() as number;
  };
  expect(await pass(HOUR)).toBe(1);
  for (let day = 0; day < 6; day += 1) expect(await pass(24 * HOUR)).toBe(1);
  expect(await pass(24 * HOUR)).toBe(2);
  // A check that a user started counts as well.
  for (let day = 0; day < 5; day += 1) await pass(24 * HOUR);
  check.start(user);
  await ended(check);
  expect(await pass(4 * 24 * HOUR)).toBe(3);
  expect(check.state(user).last_whole_at).not.toBeNull();
  expect(t.db.prepare('SELECT action, username, resource_id, details FROM audit_log').all()).toEqual(
    [1, 2].map((id) => ({
      action: 'vault.verify',
      username: null,
      resource_id: String(id),
      details: '{"scheduled":true}',
    })),
  );
  await check.close();
});

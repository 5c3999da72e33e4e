/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabaseKey } from '../../src-main/platform/database/encryption.ts';
import { vaultKeyOf } from '../../src-main/platform/kernel/age-format.ts';
import { createKeyFile, unlockByRecoveryKey } from '../../src-main/platform/sealed/key-file.ts';
import type { UnlockedKeys } from '../../src-main/platform/kernel/process-keys.ts';
import { openContent } from '../../src-main/platform/sealed/sealed-file.ts';
import { inDepth } from '../support/depth.ts';

const PROGRAM = fileURLToPath(new URL('./switch-vault-process.ts', import.meta.url));
const KILLS = inDepth(6, 50);
const FILES = Array.from({ length: 40 }, (_, n) => ({ path: `patients/elena/${n}.pdf`, bytes: randomBytes(n * 9000) }));
const ROWS = 4000;
let folder: string, root: string, keyPath: string, recoveryKey: string, keys: UnlockedKeys;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switch-kill-'));
  root = join(folder, 'vault');
  keyPath = join(folder, 'key.json');
  const made = await createKeyFile('correct horse battery');
  ({ recoveryKey } = made);
  keys = unlockByRecoveryKey(made.file, recoveryKey)!;
  writeFileSync(keyPath, JSON.stringify(made.file));
  mkdirSync(join(root, 'patients/elena'), { recursive: true });
  for (const { path, bytes } of FILES) writeFileSync(join(root, path), bytes);
  const db = new Sqlite(join(root, 'vault.db'));
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE papers (words TEXT)');
  const insert = db.prepare('INSERT INTO papers VALUES (?)');
  db.transaction(() => {
    for (let n = 0; n < ROWS; n += 1) insert.run(`paper ${n} ${'x'.repeat(200)}`);
  })();
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(direction: 'on' | 'off') {
  const args = ['--disable-warning=ExperimentalWarning', PROGRAM, root, keyPath, recoveryKey, direction];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}
async function killSoon(direction: 'on' | 'off'): Promise<void> {
  const child = start(direction);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await sleep(randomInt(120));
  child.kill('SIGKILL');
  await ended;
}
const other = (direction: 'on' | 'off') => (direction === 'on' ? 'off' : 'on');
async function finish(direction: 'on' | 'off'): Promise<void> {
  expect(await once(start(direction), 'exit')).toEqual([0, null]);
}
function requireWhole(): void {
  for (const { path, bytes } of FILES) {
    const content = openContent(join(root, path), vaultKeyOf(keys.files));
    const read = Buffer.alloc(content.size);
    content.readSync(read, 0, content.size, 0);
    content.close();
    expect([path, read.equals(bytes)]).toEqual([path, true]);
  }
  const isPlain = readFileSync(join(root, 'vault.db')).subarray(0, 6).toString() === 'SQLite';
  const db = new Sqlite(join(root, 'vault.db'));
  useDatabaseKey(db, isPlain ? null : keys.database);
  expect(db.prepare('SELECT count(*) FROM papers').pluck().get()).toBe(ROWS);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
}

it('a vault that is encrypted or decrypted loses nothing when the process is killed at any moment', async () => {
  for (let n = 0; n < KILLS; n += 1) {
    const direction = n % 4 < 2 ? 'on' : 'off';
    await killSoon(direction);
    requireWhole();
    if (n % 2 === 1) await finish(direction);
    requireWhole();
  }
  await finish('off');
  expect(existsSync(join(root, 'vault-key.json'))).toBe(false);
  for (const { path, bytes } of FILES) expect(readFileSync(join(root, path)).equals(bytes)).toBe(true);
}, 600_000);

it('a switch that is undone loses nothing when it is killed again and again, and its undoing too', async () => {
  for (let n = 0; n < KILLS; n += 1) {
    const direction = n % 4 < 2 ? 'on' : 'off';
    await killSoon(direction);
    requireWhole();
    await killSoon(other(direction));
    requireWhole();
    await finish(n % 2 === 0 ? other(direction) : direction);
    requireWhole();
  }
  await finish('off');
  expect(existsSync(join(root, 'vault-key.json'))).toBe(false);
  for (const { path, bytes } of FILES) expect(readFileSync(join(root, path)).equals(bytes)).toBe(true);
}, 900_000);

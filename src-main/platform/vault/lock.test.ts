import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFilesBelow } from '../../../test/support/fs-faults.ts';
import { lockVault, VaultInUse } from './lock.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-lock-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('opens a vault once, and again after it was closed', () => {
  const unlock = lockVault(root);
  expect(() => lockVault(root)).toThrow(VaultInUse);
  unlock();
  lockVault(root)();
});

test('leaves no lock after a kill', async () => {
  const script = [
    `import { lockVault } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};`,
    `globalThis.unlock = lockVault(${JSON.stringify(root)});`,
    "process.stdout.write('locked');",
    'setInterval(() => undefined, 1000);',
  ].join(' ');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  try {
    expect(() => lockVault(root)).toThrow(VaultInUse);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  lockVault(root)();
});

test('ignores the process number in a stale lock file', () => {
  writeFileSync(join(root, 'vault.lock'), String(process.ppid));
  const unlock = lockVault(root);
  expect(() => lockVault(root)).toThrow(VaultInUse);
  unlock();
});

test('says what to do when another Hearth has the vault open', () => {
  const unlock = lockVault(root);
  expect(() => lockVault(root)).toThrow(
    expect.objectContaining({ name: 'VaultInUse', message: expect.stringContaining('Use that one, or stop it first') }),
  );
  unlock();
});

test.runIf(process.platform === 'linux')('leaves no file open after a refusal, once the vault is unlocked', () => {
  const unlock = lockVault(root);
  expect(() => lockVault(root)).toThrow(VaultInUse);
  unlock();
  expect(openFilesBelow(root)).toEqual([]);
});

test('keeps a lock file that it can neither use nor explain', () => {
  const path = join(root, 'vault.lock');
  const future = new Sqlite(path);
  future.exec('CREATE TABLE t (n INTEGER)');
  future.close();
  // A write version of the file format that this SQLite does not know makes the file read-only.
  const bytes = readFileSync(path);
  bytes[18] = 9;
  writeFileSync(path, bytes);
  expect(() => lockVault(root)).toThrow(expect.objectContaining({ code: 'SQLITE_READONLY' }));
  expect(readFileSync(path)).toEqual(bytes);
});

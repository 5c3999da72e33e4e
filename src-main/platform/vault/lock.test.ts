import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  lockVault(root)();
});

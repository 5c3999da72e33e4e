import { existsSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock, type Clock } from '../kernel/clock.ts';
import { randomId } from '../kernel/ids.ts';
import { claimVault, HOLDER_FILE, isHeldElsewhere, readHolder, type VaultTrouble } from './holder.ts';
import { VaultInUse } from './lock.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-holder-'));
  writeFileSync(join(root, 'vault.db'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NOW = '2026-11-27T06:00:00';
const claim = (host: string, onChange?: (trouble: VaultTrouble | null) => void, clock: Clock = systemClock) =>
  claimVault(root, { clock, ids: randomId, now: () => NOW, host, ...(onChange && { onChange }) });
/** A file as a program on another computer left it, this many seconds ago. */
function leaveBehind(host: string, seconds: number): void {
  writeFileSync(join(root, HOLDER_FILE), JSON.stringify({ host, pid: 7, since: NOW, run: 'other' }));
  const then = Date.now() / 1000 - seconds;
  utimesSync(join(root, HOLDER_FILE), then, then);
}

test('names the program that has the vault open, and nobody after it was closed', () => {
  const { release, takenFrom } = claim('desk');
  expect(readHolder(root)).toMatchObject({ host: 'desk', pid: process.pid, since: NOW });
  release();
  expect([takenFrom, existsSync(join(root, HOLDER_FILE))]).toEqual([null, false]);
});

test('refuses a vault that another computer has open, by its name', () => {
  leaveBehind('laptop', 5);
  expect(() => claim('desk')).toThrow(VaultInUse);
  expect(() => claim('desk')).toThrow(/computer “laptop” \(process 7\)/);
  expect([isHeldElsewhere(root, Date.now()), readHolder(root)?.host]).toEqual([true, 'laptop']);
});

test('takes over what another computer left behind, and says from whom', () => {
  leaveBehind('laptop', 300);
  expect(isHeldElsewhere(root, Date.now())).toBe(false);
  const { takenFrom, release } = claim('desk');
  expect([takenFrom?.host, readHolder(root)?.host]).toEqual(['laptop', 'desk']);
  release();
});

test('takes over at once what this computer left behind, since the system knows that it ended', () => {
  leaveBehind('desk', 1);
  const { takenFrom, release } = claim('desk');
  expect(takenFrom).toBeNull();
  release();
});

test('ignores a damaged file', () => {
  writeFileSync(join(root, HOLDER_FILE), '{"host":');
  const { takenFrom, release } = claim('desk');
  expect([takenFrom, readHolder(root)?.host]).toEqual([null, 'desk']);
  release();
});

test('tells that the disk went away, and that it came back', async () => {
  const told: (VaultTrouble | null)[] = [];
  const quick: Clock = { now: Date.now, sleep: (_ms, signal) => systemClock.sleep(5, signal) };
  const { trouble, release } = claim('desk', (one) => told.push(one), quick);
  renameSync(root, `${root}-gone`);
  await expect.poll(trouble).toBe('gone');
  renameSync(`${root}-gone`, root);
  await expect.poll(trouble).toBeNull();
  expect(told).toEqual(['gone', null]);
  release();
});

test('tells that another computer took the vault over, and leaves its file', async () => {
  const quick: Clock = { now: Date.now, sleep: (_ms, signal) => systemClock.sleep(5, signal) };
  const { trouble, release } = claim('desk', undefined, quick);
  leaveBehind('laptop', 0);
  await expect.poll(trouble).toBe('taken');
  release();
  expect(readHolder(root)?.host).toBe('laptop');
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitGuesses, type Prove } from '../http/guess-limit.ts';
import { createKeyFile } from '../sealed/key-file.ts';
import { keepGuessTimes } from './guess-times.ts';

let place: string, folder: string, root: string, now: number;

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'hearth-guesses-'));
  [folder, root, now] = [join(place, 'config'), join(place, 'vault'), 1_000_000_000_000];
  mkdirSync(root);
  writeFileSync(join(root, 'vault-key.json'), JSON.stringify((await createKeyFile('correct horse battery')).file));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** A limit as the lock and the open vault each make one. */
const start = (): Prove => limitGuesses({ now: () => now }, keepGuessTimes(folder, root));
const guess = (prove: Prove): Promise<string> =>
  prove(() => Promise.resolve(null)).then(
    () => 'opened',
    (error: Error) => error.message,
  );
const enter = (prove: Prove): Promise<string> =>
  prove(() => Promise.resolve('keys')).catch((error: Error) => error.message);

it('counts guesses over locks and starts, and for a minute only', async () => {
  const lock = start();
  for (let n = 0; n < 3; n += 1) expect(await guess(lock)).toBe('vault.wrong_password');
  const open = start();
  now += 1000;
  for (let n = 0; n < 2; n += 1) expect(await guess(open)).toBe('vault.wrong_password');
  for (const prove of [open, lock, start()]) expect(await enter(prove)).toBe('vault.unlock_limited');
  if (process.platform !== 'win32') expect(statSync(join(folder, readdirSync(folder)[0]!)).mode & 0o777).toBe(0o600);
  now += 60_000;
  expect(await enter(start())).toBe('keys');
  // Whoever has the password is not limited by what was guessed before.
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps nobody out for times in the future, a damaged file, or a folder that can’t be written', async () => {
  for (let n = 0; n < 5; n += 1) await guess(start());
  const file = join(folder, readdirSync(folder)[0]!);
  for (const text of [JSON.stringify(Array(5).fill(now + 3_600_000)), '{"no": "list"}', '[1.5', '']) {
    writeFileSync(file, text);
    expect(await enter(start())).toBe('keys');
  }
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  const prove = start();
  for (let n = 0; n < 5; n += 1) expect(await guess(prove)).toBe('vault.wrong_password');
  // In memory they count all the same.
  expect(await enter(prove)).toBe('vault.unlock_limited');
});

it('keeps nothing for a vault without a key', async () => {
  rmSync(join(root, 'vault-key.json'));
  await guess(start());
  expect([keepGuessTimes(folder, root).read(), readdirSync(place)]).toEqual([[], ['vault']]);
});

it('keeps nobody out after the clock was set back', async () => {
  const prove = start();
  for (let n = 0; n < 5; n += 1) await guess(prove);
  expect(await enter(prove)).toBe('vault.unlock_limited');
  now -= 3_600_000;
  expect(await enter(prove)).toBe('keys');
});

it('counts no attempt that failed before anything was guessed', async () => {
  const prove = start();
  const fails = () => prove(() => Promise.reject(new Error('the disk is not connected')));
  for (let n = 0; n < 6; n += 1) await expect(fails()).rejects.toThrow('the disk is not connected');
  for (let n = 0; n < 5; n += 1) expect(await guess(prove)).toBe('vault.wrong_password');
  await expect(fails()).rejects.toThrow('vault.unlock_limited');
  expect(await enter(start())).toBe('vault.unlock_limited');
});

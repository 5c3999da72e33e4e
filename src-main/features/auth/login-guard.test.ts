import { hash as hashWith } from '@node-rs/argon2';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { testClock, type TestClock } from '../../../test/support/vault.ts';
import { createLoginGuard, type LoginGuard } from './login-guard.ts';

const MINUTE_MS = 60_000;
let hash: string, clock: TestClock, guard: LoginGuard;
beforeAll(async () => {
  // Guesses are counted here; what each costs does not matter.
  hash = await hashWith('right', { memoryCost: 64, timeCost: 1, parallelism: 1 });
});
beforeEach(() => {
  clock = testClock();
  guard = createLoginGuard(clock);
});

/** `right`, `wrong`, or `limited`. */
const attempt = async (ip: string, password: string, { name = 'ann', knownDevice = null as string | null } = {}) =>
  guard.passwordMatches({ ip, name, hash, password, knownDevice }).then(
    (matches) => (matches ? 'right' : 'wrong'),
    (error: { code?: string }) => (error.code === 'auth.rate_limited' ? 'limited' : Promise.reject(error)),
  );

test('all addresses of this computer share their attempts', async () => {
  for (let n = 2; n < 7; n += 1) expect(await attempt(`127.0.0.${n}`, 'bad')).toBe('wrong');
  for (const ip of ['127.0.0.9', '::1', '127.9.9.9', '::ffff:127.0.0.1'])
    expect(await attempt(ip, 'bad')).toBe('limited');
});

test('all addresses of an IPv6 network share their attempts', async () => {
  for (let n = 1; n < 6; n += 1) expect(await attempt(`2001:db8:0:7:${n}::1`, 'bad')).toBe('wrong');
  expect(await attempt('2001:db8:0:7:aaaa::1', 'bad')).toBe('limited');
  expect(await attempt('2001:db8:0:8::1', 'bad')).toBe('wrong');
});

test('a name is limited to fifty guesses an hour from whatever addresses', async () => {
  for (let n = 0; n < 50; n += 1) expect(await attempt(`10.0.${n}.1`, 'bad')).toBe('wrong');
  expect(await attempt('10.1.0.1', 'right')).toBe('limited');
  expect(await attempt('10.1.0.1', 'right', { name: 'bob' })).toBe('right');
  clock.advance(30 * MINUTE_MS);
  expect(await attempt('10.1.0.1', 'right')).toBe('limited');
  clock.advance(31 * MINUTE_MS);
  expect(await attempt('10.1.0.1', 'right')).toBe('right');
}, 60_000);

test('guesses by strangers do not keep out people on a device that they have signed in with', async () => {
  for (let n = 0; n < 30; n += 1) expect(await attempt('10.0.0.1', 'bad', { name: `guess ${n}` })).toBe('wrong');
  for (let n = 0; n < 50; n += 1) await attempt(`10.2.${n}.1`, 'bad');
  expect(await attempt('10.0.0.1', 'right')).toBe('limited');
  expect(await attempt('10.0.0.1', 'right', { knownDevice: '1-tablet' })).toBe('right');
}, 60_000);

test('a known device has five guesses in five minutes, which a right password resets', async () => {
  const knownDevice = '1-tablet';
  for (let n = 0; n < 4; n += 1) expect(await attempt('10.0.0.1', 'bad', { knownDevice })).toBe('wrong');
  expect(await attempt('10.0.0.1', 'right', { knownDevice })).toBe('right');
  for (let n = 0; n < 5; n += 1) expect(await attempt('10.0.0.1', 'bad', { knownDevice })).toBe('wrong');
  for (const ip of ['10.0.0.1', '10.7.7.7']) expect(await attempt(ip, 'right', { knownDevice })).toBe('limited');
  clock.advance(5 * MINUTE_MS + 1);
  expect(await attempt('10.0.0.1', 'right', { knownDevice })).toBe('right');
});

import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { formatRecoveryKey, parseRecoveryKey } from './recovery-key.ts';

it('is read as it was printed, and as people type it', () => {
  for (let n = 0; n < 50; n += 1) {
    const secret = randomBytes(32);
    const printed = formatRecoveryKey(secret);
    expect(printed).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){11}[0-9A-HJKMNP-TV-Z]$/);
    const typed = printed.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect(parseRecoveryKey(printed)?.equals(secret)).toBe(true);
    expect(parseRecoveryKey(typed)?.equals(secret)).toBe(true);
  }
});

it('refuses a mistake: a wrong, a missing, a doubled and two exchanged characters', () => {
  const printed = formatRecoveryKey(Buffer.alloc(32, 7));
  const plain = printed.replaceAll('-', '');
  for (let at = 0; at < plain.length; at += 1) {
    const other = plain[at] === 'Z' ? 'Y' : 'Z';
    expect(parseRecoveryKey(plain.slice(0, at) + other + plain.slice(at + 1))).toBeNull();
    expect(parseRecoveryKey(plain.slice(0, at) + plain.slice(at + 1))).toBeNull();
  }
  expect(parseRecoveryKey(`${plain}0`)).toBeNull();
  expect(parseRecoveryKey('')).toBeNull();
  expect(parseRecoveryKey('ü'.repeat(56))).toBeNull();
});

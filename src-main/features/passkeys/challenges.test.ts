import { expect, test } from 'vitest';
import { testClock } from '../../../test/support/vault.ts';
import { CHALLENGE_MS, createChallenges } from './challenges.ts';

test('a challenge is valid once and for five minutes', () => {
  const clock = testClock();
  const challenges = createChallenges(clock);
  const [used, late] = [challenges.issue('10.0.0.1', null), challenges.issue('10.0.0.1', { userId: 1, handle: 'a' })];
  expect(challenges.take(used)).toMatchObject({ registration: null });
  expect(challenges.take(used)).toBeNull();
  clock.advance(CHALLENGE_MS);
  expect(challenges.take(late)).toBeNull();
  expect(challenges.take('never issued')).toBeNull();
});

test('many challenges of one address displace only its own', () => {
  const challenges = createChallenges(testClock());
  const mine = challenges.issue('10.0.0.1', null);
  const first = challenges.issue('10.0.0.2', null);
  const rest = Array.from({ length: 50 }, () => challenges.issue('10.0.0.2', null));
  expect(challenges.take(first)).toBeNull();
  expect(rest.every((one) => challenges.take(one) !== null)).toBe(true);
  expect(challenges.take(mine)).not.toBeNull();
});

import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { randomOf } from '../../../test/fuzz/mutate.ts';
import { createLikeMatcher } from './sql-like.ts';

const db = new Database(':memory:');
const matchSqlite = db.prepare('SELECT ? LIKE ?').pluck();
const matchOwn = (text: string, pattern: string): number => {
  const bytes = new TextEncoder().encode(`before${text}after`),
    start = 6,
    end = bytes.length - 5;
  const { matches, mayMatchEnd } = createLikeMatcher(pattern),
    isMatch = matches(bytes, start, end);
  if (isMatch && !mayMatchEnd(bytes, start, end)) throw new Error(`${pattern} matches ${text} but rejects its end`);
  return isMatch ? 1 : 0;
};

it.each([
  ['a.PDF', '%.pdf'],
  ['a.pdf', '_.pdf'],
  ['ä.pdf', '_.pdf'],
  ['🔑', '_'],
  ['Ä', 'ä'],
  ['', ''],
  ['', '%'],
  ['a', ''],
  ['a%b', 'a%b'],
  ['Media/DCIM/1', 'Media/%'],
  ['xDCIMx', '%dcim%'],
  ['aXbXc', 'a%b_c'],
  ['[a]', '[A]'],
  ['K', 'K'],
  ['abc', '%%%'],
  ['ab', '%_%_%'],
  ['a', '%_%_%'],
])('evaluates %j LIKE %j as SQLite does', (text, pattern) => {
  expect(matchOwn(text, pattern)).toBe(matchSqlite.get(text, pattern));
});

it('agrees with SQLite on 20 000 texts and patterns', () => {
  const random = randomOf(4),
    letters = ['a', 'A', 'b', '.', '/', 'ä', '🔑', '%', '_'];
  const word = (maxLength: number): string =>
    Array.from({ length: Math.floor(random() * maxLength) }, () => letters[Math.floor(random() * letters.length)]).join(
      '',
    );
  for (let i = 0; i < 20_000; i += 1) {
    const text = word(8),
      pattern = word(6);
    if (matchOwn(text, pattern) !== matchSqlite.get(text, pattern))
      expect([text, pattern, matchOwn(text, pattern)]).toEqual([text, pattern, matchSqlite.get(text, pattern)]);
  }
});

it('evaluates a pattern made for exponential backtracking quickly', () => {
  expect(matchOwn('a'.repeat(5000), `${'%a'.repeat(500)}b`)).toBe(0);
});

import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { randomOf } from '../../../test/fuzz/mutate.ts';
import { like } from './sql-like.ts';

const db = new Database(':memory:');
const bySqlite = db.prepare('SELECT ? LIKE ?').pluck();
const byUs = (text: string, pattern: string): number => {
  const bytes = new TextEncoder().encode(`before${text}after`),
    start = 6,
    end = bytes.length - 5;
  const { matches, mayEndSo } = like(pattern),
    found = matches(bytes, start, end);
  if (found && !mayEndSo(bytes, start, end)) throw new Error(`${pattern} matches ${text} and denies its end`);
  return found ? 1 : 0;
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
])('%j LIKE %j as SQLite has it', (text, pattern) => {
  expect(byUs(text, pattern)).toBe(bySqlite.get(text, pattern));
});

it('agrees with SQLite on 20 000 texts and patterns', () => {
  const random = randomOf(4),
    letters = ['a', 'A', 'b', '.', '/', 'ä', '🔑', '%', '_'];
  const word = (longest: number): string =>
    Array.from({ length: Math.floor(random() * longest) }, () => letters[Math.floor(random() * letters.length)]).join(
      '',
    );
  for (let i = 0; i < 20_000; i += 1) {
    const text = word(8),
      pattern = word(6);
    if (byUs(text, pattern) !== bySqlite.get(text, pattern))
      expect([text, pattern, byUs(text, pattern)]).toEqual([text, pattern, bySqlite.get(text, pattern)]);
  }
});

it('does not take forever on a pattern made for that', () => {
  expect(byUs('a'.repeat(5000), `${'%a'.repeat(500)}b`)).toBe(0);
});

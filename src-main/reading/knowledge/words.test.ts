import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readResource } from './load.ts';
import { readTable } from './table.ts';
import { loadWords } from './words.ts';

const FOLDER = fileURLToPath(new URL('../../../resources/knowledge/words/', import.meta.url));

describe('word lists', () => {
  it.each(readdirSync(FOLDER))('%s has words in every line', (file) => {
    const rows = readTable(readResource(`words/${file}`), ['group', 'word']);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.word.trim()).not.toBe('');
  });

  it('returns the words of a group in the order of the file', () =>
    expect(loadWords('other-titles', ['other', 'request', 'task', 'visit']).other.length).toBeGreaterThan(50));

  it('rejects a group that the caller does not know', () =>
    expect(() => loadWords('lab-words', ['test'])).toThrow('unknown group result'));

  it('rejects a group without words', () =>
    expect(() => loadWords('other-titles', ['other', 'request', 'task', 'visit', 'missing'])).toThrow(
      'group missing has no words',
    ));
});

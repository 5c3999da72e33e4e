import { expect, it } from 'vitest';
import { SEARCH_WORDS } from '../../../../src-shared/contract/search-words.ts';
import { openDatabaseInMemory } from '../../../../test/support/new-database.ts';
import { parseSearch } from './search-query.ts';
import { rankExpression, reindexDocument } from './text-index-repository.ts';

const { or: _or, ...PREFIXES } = SEARCH_WORDS;

it.each(Object.entries(PREFIXES))('a search by the prefixes of %s looks into a column of its own', (column, words) => {
  const db = openDatabaseInMemory();
  db.prepare("INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'a', 'A', 'x')").run();
  db.prepare(
    `INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size, file_hash, status,
      created_at, updated_at) VALUES (1, 1, 'a', 'a.pdf', 'x', 1, 'a', 'done', 'x', 'x')`,
  ).run();
  reindexDocument(db, 1, '');
  db.prepare(`UPDATE document_texts SET ${column} = 'quartz'`).run();
  const find = (line: string): unknown =>
    db
      .prepare(`SELECT rowid, ${rankExpression(db)} < 0 AS ranked FROM documents_fts WHERE documents_fts MATCH ?`)
      .get(parseSearch(line)?.match);
  const others = Object.entries(PREFIXES).flatMap(([other, its]) => (other === column ? [] : its.split(' ')));
  for (const word of words.split(' ')) expect([word, find(`${word}:quartz`)]).toEqual([word, { rowid: 1, ranked: 1 }]);
  for (const word of others) expect([word, find(`${word}:quartz`)]).toEqual([word, undefined]);
});

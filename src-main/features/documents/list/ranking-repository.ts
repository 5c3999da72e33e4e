import type { Database } from '../../../platform/database/connection.ts';
import type { SearchPhrase } from './search-query.ts';
import { rankExpression } from './text-index-repository.ts';

/**
 * Orders hits of several phrases, best first; equal ones keep their order. FTS5 weighs a phrase by the number of all
 * documents that have it, so the order of hits would tell which words the documents of others contain. Each phrase is
 * scored by itself and relative to its best hit, which cancels that weight.
 */
export function rankHits(db: Database, phrases: readonly SearchPhrase[], ids: readonly number[]): number[] {
  const scores = new Map<number, number>();
  for (const { match, weight } of phrases) {
    const hits = scoresOf(db, match, ids);
    const best = Math.max(...hits.map(({ score }) => score));
    for (const { id, score } of hits) scores.set(id, (scores.get(id) ?? 0) + (weight * score) / best);
  }
  return ids
    .map((id) => ({ id, score: Number((scores.get(id) ?? 0).toPrecision(9)) }))
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

/** Positive scores of those documents that have the phrase. The plus keeps FTS5 from probing each id. */
const scoresOf = (db: Database, phrase: string, ids: readonly number[]): { id: number; score: number }[] =>
  db
    .prepare(
      `SELECT rowid AS id, -${rankExpression(db)} AS score FROM documents_fts
        WHERE documents_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    )
    .all(phrase, JSON.stringify(ids)) as { id: number; score: number }[];

import type { TableName } from '../source.ts';
import type { IndexDatabase, IndexValue } from './database.ts';
import type { Table } from './tables.ts';
import { STRETCH } from './writer.ts';

interface Hit {
  name: TableName;
  id: number;
}
interface Page {
  limit: number;
  offset: number;
}
interface Stretch {
  name: string;
  stretch: number;
  at: string | null;
}
/** Rows of a table by number, from the first to the last. */
interface Span {
  first: number;
  last: number;
}

/** Nobody looks through more than this for the best one. */
const MOST_RANKED = 5000;

/**
 * A page of the rows that hold words, and how many there are. Up to `MOST_RANKED` stand best first; more of them newest first, and those
 * without a time last: ranking weighs every hit, and takes seconds where a word is in each third message. All pages of a search have one
 * order, for it follows from the number of hits.
 */
export function findHits(
  db: IndexDatabase,
  tables: readonly Table[],
  match: string,
  page: Page,
): { total: number; hits: Hit[] } {
  const total = Number(
    db
      .prepare(
        `SELECT sum(n) AS n FROM (${tables.map(({ name }) => `SELECT count(*) AS n FROM "${name}_fts" WHERE "${name}_fts" MATCH ?`).join(' UNION ALL ')})`,
      )
      .all(tables.map(() => match))[0]?.n ?? 0,
  );
  return {
    total,
    hits: total > MOST_RANKED ? newestHits(db, tables, match, page, total) : bestHits(db, tables, match, page),
  };
}

function bestHits(db: IndexDatabase, tables: readonly Table[], match: string, { limit, offset }: Page): Hit[] {
  const parts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, rowid AS id, rank AS place FROM "${name}_fts" WHERE "${name}_fts" MATCH ?`,
  );
  return db
    .prepare(`${parts.join(' UNION ALL ')} ORDER BY place, name, id LIMIT ? OFFSET ?`)
    .all([...tables.map(() => match), limit, offset]) as unknown as Hit[];
}

/**
 * Rows have the phone's own order, which is that of time for the most part, or its reverse where a cloud sent the newest first, but never
 * quite. So only the stretches with the newest rows are looked at, and more of them as long as an unseen one could hold a newer row.
 */
function newestHits(
  db: IndexDatabase,
  tables: readonly Table[],
  match: string,
  { limit, offset }: Page,
  total: number,
): Hit[] {
  const stretches = db
    .prepare('SELECT name, stretch, at FROM stretches WHERE name IN (SELECT value FROM json_each(?)) ORDER BY at DESC')
    .all([JSON.stringify(tables.map(({ name }) => name))]) as unknown as Stretch[];
  const hitsOfOne = total / stretches.length;
  for (let count = Math.ceil((2 * (limit + offset)) / hitsOfOne) + 1; count < stretches.length; count *= 4) {
    const spans = spansOf(stretches.slice(0, count));
    const unseen = stretches.find(({ name, stretch }) => {
      const span = spans.get(name);
      return !span || stretch < span.first || stretch > span.last;
    });
    // Where they lie all over the table, looking at all of it at once costs less than looking at parts of it again and again.
    if (
      !unseen ||
      [...spans.values()].reduce((sum, { first, last }) => sum + last - first + 1, 0) > stretches.length / 4
    )
      break;
    const hits = hitsByTime(db, tables, match, { limit, offset }, spans),
      last = hits.at(-1);
    if (hits.length === limit && last?.place != null && last.place > (unseen.at ?? '')) return hits;
  }
  return hitsByTime(db, tables, match, { limit, offset }, null);
}

function spansOf(stretches: readonly Stretch[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const { name, stretch } of stretches) {
    const known = spans.get(name);
    spans.set(name, {
      first: Math.min(known?.first ?? stretch, stretch),
      last: Math.max(known?.last ?? stretch, stretch),
    });
  }
  return spans;
}

/** Of stretches of the tables, or of all rows. */
function hitsByTime(
  db: IndexDatabase,
  tables: readonly Table[],
  match: string,
  { limit, offset }: Page,
  spans: ReadonlyMap<string, Span> | null,
): (Hit & { place: string | null })[] {
  const values: IndexValue[] = [];
  const parts = tables.flatMap(({ name, at }) => {
    const span = spans?.get(name);
    if (spans && !span) return [];
    values.push(match, ...(span ? [span.first * STRETCH + 1, (span.last + 1) * STRETCH] : []));
    return [
      `SELECT '${name}' AS name, t.id AS id, ${at === null ? 'NULL' : `t."${at}"`} AS place FROM "${name}_fts" AS f CROSS JOIN "${name}" AS t ON t.id = f.rowid WHERE f."${name}_fts" MATCH ?${span ? ' AND f.rowid BETWEEN ? AND ?' : ''}`,
    ];
  });
  return db
    .prepare(`${parts.join(' UNION ALL ')} ORDER BY place DESC, name, id DESC LIMIT ? OFFSET ?`)
    .all([...values, limit, offset]) as unknown as (Hit & { place: string | null })[];
}

import type { TableName } from '../../../contract/phone-backups/artifact-table.ts';
import type { IndexDatabase, IndexValue } from './database.ts';
import type { Table } from './tables.ts';
import { BLOCK_ROWS } from './writer.ts';

interface Hit {
  name: TableName;
  id: number;
}
type TimedHit = Hit & { place: string | null };
interface Page {
  limit: number;
  offset: number;
}
interface Block {
  name: string;
  block: number;
  /** Newest time in the block. */
  at: string | null;
}
/** A range of blocks of one table, both ends included. */
interface BlockRange {
  first: number;
  last: number;
}
interface Search {
  db: IndexDatabase;
  tables: readonly Table[];
  /** An FTS5 query. */
  match: string;
}

/** Ranking processes every hit, which takes seconds for a word in every third message. */
const MAX_RANKED_HITS = 5000;

/**
 * Returns a page of the rows that match, and their total number. Up to `MAX_RANKED_HITS` hits are sorted by rank;
 * larger results are sorted by time, the newest first and those without a time last. The order depends only on the
 * total, so it is the same for all pages of a search.
 */
export function findHits(
  db: IndexDatabase,
  tables: readonly Table[],
  match: string,
  page: Page,
): { total: number; hits: Hit[] } {
  const search = { db, tables, match };
  const total = countHits(search);
  return { total, hits: total > MAX_RANKED_HITS ? findNewest(search, page, total) : findBest(search, page) };
}

function countHits({ db, tables, match }: Search): number {
  const counts = tables.map(({ name }) => `SELECT count(*) AS n FROM "${name}_fts" WHERE "${name}_fts" MATCH ?`);
  const [row] = db.prepare(`SELECT sum(n) AS n FROM (${counts.join(' UNION ALL ')})`).all(tables.map(() => match));
  return Number(row?.n ?? 0);
}

function findBest({ db, tables, match }: Search, { limit, offset }: Page): Hit[] {
  const parts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, rowid AS id, rank AS place FROM "${name}_fts" WHERE "${name}_fts" MATCH ?`,
  );
  return db
    .prepare(`${parts.join(' UNION ALL ')} ORDER BY place, name, id LIMIT ? OFFSET ?`)
    .all([...tables.map(() => match), limit, offset]) as unknown as Hit[];
}

/**
 * Rows are numbered in the phone's order, which mostly follows time (or its reverse, where a cloud sent the newest
 * first). So search the blocks with the newest rows, and more of them while an unsearched block could hold a newer row.
 */
function findNewest(search: Search, page: Page, total: number): Hit[] {
  const blocks = blocksByTime(search);
  const hitsPerBlock = total / blocks.length;
  const wantedHits = page.limit + page.offset;
  for (let count = Math.ceil((2 * wantedHits) / hitsPerBlock) + 1; count < blocks.length; count *= 4) {
    const ranges = rangesOf(blocks.slice(0, count));
    const unsearched = blocks.find((block) => !isInRange(block, ranges));
    // If the blocks are spread over the whole table, one search of everything is cheaper than several of parts.
    if (!unsearched || blocksIn(ranges) > blocks.length / 4) break;
    const hits = findByTime(search, page, ranges);
    const last = hits.at(-1);
    if (hits.length === page.limit && last?.place != null && last.place > (unsearched.at ?? '')) return hits;
  }
  return findByTime(search, page, null);
}

const blocksByTime = ({ db, tables }: Search): Block[] =>
  db
    .prepare('SELECT name, block, at FROM row_blocks WHERE name IN (SELECT value FROM json_each(?)) ORDER BY at DESC')
    .all([JSON.stringify(tables.map(({ name }) => name))]) as unknown as Block[];

function isInRange({ name, block }: Block, ranges: ReadonlyMap<string, BlockRange>): boolean {
  const range = ranges.get(name);
  return range !== undefined && block >= range.first && block <= range.last;
}

const blocksIn = (ranges: ReadonlyMap<string, BlockRange>): number =>
  [...ranges.values()].reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** For each table the smallest range that contains all its blocks. */
function rangesOf(blocks: readonly Block[]): Map<string, BlockRange> {
  const ranges = new Map<string, BlockRange>();
  for (const { name, block } of blocks) {
    const range = ranges.get(name);
    ranges.set(name, {
      first: Math.min(range?.first ?? block, block),
      last: Math.max(range?.last ?? block, block),
    });
  }
  return ranges;
}

/** Hits in these blocks of the tables, or in all rows if `ranges` is null. */
function findByTime(
  { db, tables, match }: Search,
  { limit, offset }: Page,
  ranges: ReadonlyMap<string, BlockRange> | null,
): TimedHit[] {
  const values: IndexValue[] = [];
  const parts = tables.flatMap(({ name, at }) => {
    const range = ranges?.get(name);
    if (ranges && !range) return [];
    values.push(match, ...(range ? [range.first * BLOCK_ROWS + 1, (range.last + 1) * BLOCK_ROWS] : []));
    return [
      `SELECT '${name}' AS name, t.id AS id, ${at === null ? 'NULL' : `t."${at}"`} AS place
        FROM "${name}_fts" AS f CROSS JOIN "${name}" AS t ON t.id = f.rowid
        WHERE f."${name}_fts" MATCH ?${range ? ' AND f.rowid BETWEEN ? AND ?' : ''}`,
    ];
  });
  return db
    .prepare(`${parts.join(' UNION ALL ')} ORDER BY place DESC, name, id DESC LIMIT ? OFFSET ?`)
    .all([...values, limit, offset]) as unknown as TimedHit[];
}

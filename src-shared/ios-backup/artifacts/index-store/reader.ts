import type { RowsByTable, TableName } from '../../../contract/phone-backups/artifact-table.ts';
import type { ArtifactName, HealthType, SearchHit } from '../../../contract/phone-backups/artifacts.ts';
import { isMeasurement } from '../measurements.ts';
import type { IndexDatabase, IndexValue } from './database.ts';
import { findHits } from './find-hits.ts';
import { parseSearch, snippetOf } from './search-query.ts';
import { ALL_TABLES, TABLES, type Column, type Table } from './tables.ts';
import type { ArtifactState } from './writer.ts';

export interface Page {
  limit: number;
  offset: number;
}
export interface Paged<T> {
  items: T[];
  total: number;
  limit: number;
  offset: number;
}
export interface Filter {
  sql: string;
  values: IndexValue[];
}
export interface ListOptions {
  q?: string | undefined;
  where?: Filter[];
  order?: string;
}

export interface IndexReader {
  states(): ArtifactState[];
  /** A page of a table, by default in the table's own order. */
  list<T extends TableName>(table: T, page: Page, options?: ListOptions): Paged<RowsByTable[T]>;
  one<T extends TableName>(table: T, key: string): RowsByTable[T] | null;
  /** Rows that match, in the order of `findHits`. */
  search(query: string, artifact: ArtifactName | undefined, page: Page): Paged<SearchHit>;
  healthTypes(): HealthType[];
  close(): void;
}

/** Reads the index of a backup, whose tables exist. Lists and searches throw `SearchSyntaxError`. */
export const createIndexReader = (db: IndexDatabase): IndexReader => ({
  states: () => db.prepare('SELECT * FROM artifacts').all() as unknown as ArtifactState[],
  list: (name, page, options = {}) => listRows(db, name, page, options),
  one(name, key) {
    const table = TABLES[name];
    const row = db.prepare(`SELECT * FROM "${name}" WHERE "${table.key}" = ? ORDER BY id LIMIT 1`).all([key])[0];
    return row ? decodeRow(table, row) : null;
  },
  search: (query, artifact, page) => searchRows(db, query, artifact, page),
  healthTypes: () => listHealthTypes(db),
  close: () => void db.close(),
});

const decodeRow = <T extends TableName>({ columns }: Table<T>, raw: Record<string, unknown>): RowsByTable[T] =>
  Object.fromEntries(columns.map((column) => [column.name, decodeValue(column, raw[column.name])])) as RowsByTable[T];

function decodeValue({ kind, isList }: Column, value: unknown): unknown {
  if (value === null) return isList ? [] : null;
  if (kind === 'flag') return value === 1;
  return kind === 'json' ? (JSON.parse(value as string) as unknown) : value;
}

function listRows<T extends TableName>(
  db: IndexDatabase,
  name: T,
  { limit, offset }: Page,
  { q, where = [], order }: ListOptions,
): Paged<RowsByTable[T]> {
  const table = TABLES[name];
  const filters = q === undefined || q.trim() === '' ? where : [...where, searchFilter(table as Table, q)];
  const condition = filters.length > 0 ? `WHERE ${filters.map(({ sql }) => sql).join(' AND ')}` : '';
  const values = filters.flatMap((filter) => filter.values);
  const total = Number(db.prepare(`SELECT count(*) AS n FROM "${name}" AS t ${condition}`).all(values)[0]?.n);
  const rows = db
    .prepare(`SELECT t.* FROM "${name}" AS t ${condition} ORDER BY ${order ?? `${table.order}, id`} LIMIT ? OFFSET ?`)
    .all([...values, limit, offset]);
  return { items: rows.map((row) => decodeRow(table, row)), total, limit, offset };
}

/** Rows that match in full text, or in any plain column if the table has no full text. */
function searchFilter({ name, columns, isSearched }: Table, q: string): Filter {
  if (isSearched)
    return {
      sql: `t.id IN (SELECT rowid FROM "${name}_fts" WHERE "${name}_fts" MATCH ?)`,
      values: [parseSearch(q).match],
    };
  const plain = columns.filter(({ kind }) => kind === 'plain');
  return {
    sql: `(${plain.map((column) => `t."${column.name}" LIKE ?`).join(' OR ')})`,
    values: plain.map(() => `%${q.replaceAll(/[%_]/g, '')}%`),
  };
}

function searchRows(
  db: IndexDatabase,
  query: string,
  artifact: ArtifactName | undefined,
  { limit, offset }: Page,
): Paged<SearchHit> {
  const { match, words } = parseSearch(query);
  const tables = ALL_TABLES.filter(
    (table) => table.isSearched && (artifact === undefined || table.artifact === artifact),
  );
  const { total, hits } = findHits(db, tables, match, { limit, offset });
  const items = hits.map(({ name, id }) => {
    const [row] = db.prepare(`SELECT * FROM "${name}" WHERE id = ?`).all([id]);
    return hitOf(TABLES[name] as Table, row ?? {}, words);
  });
  return { items, total, limit, offset };
}

function hitOf(table: Table, raw: Record<string, unknown>, words: string[]): SearchHit {
  const { title, body } = table.fullText?.(decodeRow(table, raw) as never) ?? { title: null, body: null };
  const cell = (name: string | null): string | null =>
    name === null || typeof raw[name] !== 'string' ? null : raw[name];
  return {
    artifact: table.artifact,
    identifier: cell(table.key) ?? String(raw.id),
    parent: cell('parent'),
    title,
    snippet: snippetOf(body ?? title ?? '', words),
    at: cell(table.at),
    file_id: cell(table.fileId),
  };
}

type TypeRow = Omit<HealthType, 'sources' | 'is_measurement'> & { source: string | null };

function listHealthTypes(db: IndexDatabase): HealthType[] {
  const rows = db
    .prepare(
      `SELECT type, type_number, kind, max(unit) AS unit, source, count(*) AS count,
        min(started_at) AS first_at, max(started_at) AS last_at
      FROM samples GROUP BY type, source ORDER BY type, count DESC`,
    )
    .all() as unknown as TypeRow[];
  return [...Map.groupBy(rows, ({ type }) => type).values()].map(healthTypeOf);
}

/** One type from its rows per source. */
function healthTypeOf(rows: readonly TypeRow[]): HealthType {
  const { type, type_number, kind, unit } = rows[0]!;
  const times = rows
    .flatMap(({ first_at, last_at }) => [first_at, last_at])
    .filter((at) => at !== null)
    .sort();
  return {
    type,
    type_number,
    kind,
    unit,
    count: rows.reduce((sum, row) => sum + row.count, 0),
    first_at: times[0] ?? null,
    last_at: times.at(-1) ?? null,
    sources: rows.map(({ source, count }) => ({ source: source ?? '', count })),
    is_measurement: isMeasurement(type),
  };
}

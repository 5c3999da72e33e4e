import type { ArtifactName, HealthType, SearchHit } from '../../../contract/phone-backups/artifacts.ts';
import { MEASUREMENTS } from '../health-measurements.ts';
import type { RowsByTable, TableName } from '../source.ts';
import type { IndexDatabase, IndexValue } from './database.ts';
import { findHits } from './hits.ts';
import { matchOf, snippetOf } from './query.ts';
import { TABLES, type Table } from './tables.ts';
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

export interface IndexReader {
  states(): ArtifactState[];
  /** A page of a table, in its order unless told. */
  list<T extends TableName>(
    table: T,
    page: Page,
    options?: { q?: string | undefined; where?: Filter[]; order?: string },
  ): Paged<RowsByTable[T]>;
  one<T extends TableName>(table: T, key: string): RowsByTable[T] | null;
  /** Rows that hold the words, in the order of `findHits`. */
  search(query: string, artifact: ArtifactName | undefined, page: Page): Paged<SearchHit>;
  healthTypes(): HealthType[];
  close(): void;
}

const ALL = Object.values(TABLES) as Table[];
/** The index of a backup for reading; its tables are there. Lists and searches throw `SearchSyntaxError`. */
export function createIndexReader(db: IndexDatabase): IndexReader {
  const rowOf = <T extends TableName>({ columns }: Table<T>, raw: Record<string, unknown>): RowsByTable[T] =>
    Object.fromEntries(
      columns.map(({ name, kind, isList }) => [
        name,
        raw[name] === null
          ? isList
            ? []
            : null
          : kind === 'flag'
            ? raw[name] === 1
            : kind === 'json'
              ? (JSON.parse(raw[name] as string) as unknown)
              : raw[name],
      ]),
    ) as unknown as RowsByTable[T];

  const reader: IndexReader = {
    states: () => db.prepare('SELECT * FROM artifacts').all() as unknown as ArtifactState[],
    list(name, { limit, offset }, { q, where = [], order } = {}) {
      const table = TABLES[name];
      const filters = [...where];
      if (q !== undefined && q.trim() !== '') {
        if (table.words)
          filters.push({
            sql: `t.id IN (SELECT rowid FROM "${name}_fts" WHERE "${name}_fts" MATCH ?)`,
            values: [matchOf(q).match],
          });
        else
          filters.push({
            sql: `(${table.columns
              .filter(({ kind }) => kind === 'plain')
              .map((column) => `t."${column.name}" LIKE ?`)
              .join(' OR ')})`,
            values: table.columns.filter(({ kind }) => kind === 'plain').map(() => `%${q.replaceAll(/[%_]/g, '')}%`),
          });
      }
      const condition = filters.length > 0 ? `WHERE ${filters.map(({ sql }) => sql).join(' AND ')}` : '';
      const values = filters.flatMap((filter) => filter.values);
      const total = Number(db.prepare(`SELECT count(*) AS n FROM "${name}" AS t ${condition}`).all(values)[0]?.n);
      const rows = db
        .prepare(
          `SELECT t.* FROM "${name}" AS t ${condition} ORDER BY ${order ?? `${table.order}, id`} LIMIT ? OFFSET ?`,
        )
        .all([...values, limit, offset]);
      return { items: rows.map((row) => rowOf(table, row)), total, limit, offset };
    },
    one(name, key) {
      const table = TABLES[name];
      const row = db.prepare(`SELECT * FROM "${name}" WHERE "${table.key}" = ? ORDER BY id LIMIT 1`).all([key])[0];
      return row ? rowOf(table, row) : null;
    },
    search(query, artifact, { limit, offset }) {
      const { match, words } = matchOf(query);
      const searched = ALL.filter((table) => table.words && (artifact === undefined || table.artifact === artifact));
      const { total, hits } = findHits(db, searched, match, { limit, offset });
      return {
        items: hits.map(({ name, id }) =>
          hitOf(TABLES[name] as Table, db.prepare(`SELECT * FROM "${name}" WHERE id = ?`).all([id])[0] ?? {}, words),
        ),
        total,
        limit,
        offset,
      };
    },
    healthTypes() {
      const rows = db
        .prepare(
          'SELECT type, type_number, kind, max(unit) AS unit, source, count(*) AS count, min(started_at) AS first_at, max(started_at) AS last_at FROM samples GROUP BY type, source ORDER BY type, count DESC',
        )
        .all() as unknown as (Omit<HealthType, 'sources' | 'is_measurement'> & { source: string | null })[];
      return [...Map.groupBy(rows, ({ type }) => type).values()].map((group): HealthType => {
        const { type, type_number, kind, unit } = group[0]!;
        const times = group
          .flatMap(({ first_at, last_at }) => [first_at, last_at])
          .filter((at) => at !== null)
          .sort();
        return {
          type,
          type_number,
          kind,
          unit,
          count: group.reduce((sum, row) => sum + row.count, 0),
          first_at: times[0] ?? null,
          last_at: times.at(-1) ?? null,
          sources: group.map(({ source, count }) => ({ source: source ?? '', count })),
          is_measurement: MEASUREMENTS.has(type),
        };
      });
    },
    close: () => void db.close(),
  };

  function hitOf(table: Table, raw: Record<string, unknown>, words: string[]): SearchHit {
    const row = rowOf(table, raw);
    const { title, body } = table.words?.(row as never) ?? { title: null, body: null };
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
  return reader;
}

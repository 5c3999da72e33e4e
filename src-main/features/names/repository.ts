import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { CODE_COLUMN, OWN_COLUMNS, TABLES, isSeededKind } from './references.ts';

/** A row of an entry's table. */
export interface EntryRow {
  id: number;
  canonical_code: string;
  canonical_display: string;
  created_at: string;
  seeded?: number;
  [column: string]: unknown;
}
export interface AliasRow {
  alias_id: number;
  entry_id: number;
  alias: string;
  alias_key: string;
  language: string | null;
  auto_mapped: number;
}
export interface NewAlias {
  entryId: number;
  alias: string;
  key: string;
  language?: string | null;
  auto: boolean;
  now: string;
}

export type NameRepository = ReturnType<typeof createNameRepository>;

const list = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** Entries and their spellings. Look-ups go by the indexed folded key. */
export function createNameRepository(db: Database) {
  return {
    entry: (kind: NameKind, id: number): EntryRow | undefined =>
      db.prepare(`SELECT * FROM ${TABLES[kind]} WHERE id = ?`).get(id) as EntryRow | undefined,
    entries: (kind: NameKind): EntryRow[] => db.prepare(`SELECT * FROM ${TABLES[kind]}`).all() as EntryRow[],
    byIds: (kind: NameKind, ids: readonly number[]): EntryRow[] =>
      db
        .prepare(`SELECT * FROM ${TABLES[kind]} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids)) as EntryRow[],
    exists: (kind: NameKind, id: number): boolean =>
      db.prepare(`SELECT 1 FROM ${TABLES[kind]} WHERE id = ?`).get(id) !== undefined,
    byCanonicalCode: (kind: NameKind, code: string): EntryRow | undefined =>
      db.prepare(`SELECT * FROM ${TABLES[kind]} WHERE canonical_code = ?`).get(code) as EntryRow | undefined,
    /** By LOINC, ICD-10 or ATC code; the oldest where several have it. */
    byPublicCode(kind: NameKind, code: string): number | null {
      const column = CODE_COLUMN[kind];
      return column === undefined
        ? null
        : ((db.prepare(`SELECT id FROM ${TABLES[kind]} WHERE ${column} = ? ORDER BY id LIMIT 1`).pluck().get(code) as
            | number
            | undefined) ?? null);
    },
    /** Writes the common columns and those of the kind that are given; answers the id. */
    insert(kind: NameKind, values: Record<string, unknown>): number {
      const columns = Object.keys(values);
      return Number(
        db
          .prepare(`INSERT INTO ${TABLES[kind]} (${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})`)
          .run(...Object.values(values)).lastInsertRowid,
      );
    },
    /** A person's change: a newer knowledge base leaves the entry alone from then on. */
    update(kind: NameKind, id: number, values: Record<string, unknown>): void {
      const own = isSeededKind(kind) ? { ...values, seeded: 0 } : values;
      db.prepare(
        `UPDATE ${TABLES[kind]} SET ${Object.keys(own)
          .map((column) => `"${column}" = ?`)
          .join(', ')} WHERE id = ?`,
      ).run(...Object.values(own), id);
    },
    /** What the knowledge base says of an entry that nobody changed. */
    reseed: (kind: NameKind, id: number, values: Record<string, unknown>): void =>
      void db
        .prepare(
          `UPDATE ${TABLES[kind]} SET ${Object.keys(values)
            .map((column) => `"${column}" = ?`)
            .join(', ')} WHERE id = ?`,
        )
        .run(...Object.values(values), id),
    remove: (kind: NameKind, id: number): void => void db.prepare(`DELETE FROM ${TABLES[kind]} WHERE id = ?`).run(id),
    columns: (kind: NameKind): readonly string[] => OWN_COLUMNS[kind],

    byKey: (kind: NameKind, key: string): AliasRow | undefined =>
      db.prepare('SELECT * FROM name_aliases WHERE kind = ? AND alias_key = ?').get(kind, key) as AliasRow | undefined,
    alias: (kind: NameKind, aliasId: number): AliasRow | undefined =>
      db.prepare('SELECT * FROM name_aliases WHERE kind = ? AND alias_id = ?').get(kind, aliasId) as
        | AliasRow
        | undefined,
    /** Those to be reviewed first, then as they came. */
    aliasesOf: (kind: NameKind, ids: readonly number[]): AliasRow[] =>
      db
        .prepare(
          `SELECT * FROM name_aliases WHERE kind = ? AND entry_id IN (SELECT value FROM json_each(?))
            ORDER BY auto_mapped DESC, alias_id`,
        )
        .all(kind, JSON.stringify(ids)) as AliasRow[],
    /** Every folded spelling of a kind with its entry. */
    keys: (kind: NameKind): { entry_id: number; alias_key: string }[] =>
      db.prepare('SELECT entry_id, alias_key FROM name_aliases WHERE kind = ?').all(kind) as {
        entry_id: number;
        alias_key: string;
      }[],
    /** Spellings in which this word stands. */
    withWord: (kind: NameKind, word: string): { entry_id: number; alias_key: string }[] =>
      db
        .prepare(
          "SELECT entry_id, alias_key FROM name_aliases WHERE kind = ? AND instr(' ' || alias_key || ' ', ?) > 0",
        )
        .all(kind, ` ${word} `) as { entry_id: number; alias_key: string }[],
    /** Does nothing when the key is taken; answers the id or null. */
    addAlias(kind: NameKind, { entryId, alias, key, language = null, auto, now }: NewAlias): number | null {
      const result = db
        .prepare(
          `INSERT INTO name_aliases (kind, entry_id, alias, alias_key, language, auto_mapped, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, alias_key) DO NOTHING`,
        )
        .run(kind, entryId, alias, key, language, auto ? 1 : 0, now);
      return result.changes === 1 ? Number(result.lastInsertRowid) : null;
    },
    /** Replaces the alias under a key with a spelling that a person entered. */
    rewriteAlias: (aliasId: number, values: { entry_id: number; alias: string; language: string | null }): void =>
      void db
        .prepare('UPDATE name_aliases SET entry_id = ?, alias = ?, language = ?, auto_mapped = 0 WHERE alias_id = ?')
        .run(values.entry_id, values.alias, values.language, aliasId),
    removeAliases: (kind: NameKind, ids: readonly number[]): void =>
      void db
        .prepare('DELETE FROM name_aliases WHERE kind = ? AND alias_id IN (SELECT value FROM json_each(?))')
        .run(kind, JSON.stringify(ids)),
    moveAliases: (kind: NameKind, ids: readonly number[], from: number, to: number): number =>
      db
        .prepare(
          `UPDATE name_aliases SET entry_id = ? WHERE kind = ? AND entry_id = ? AND alias_id IN (SELECT value
            FROM json_each(?))`,
        )
        .run(to, kind, from, JSON.stringify(ids)).changes,
    confirm: (kind: NameKind, id: number): number =>
      db
        .prepare('UPDATE name_aliases SET auto_mapped = 0 WHERE kind = ? AND entry_id = ? AND auto_mapped = 1')
        .run(kind, id).changes,

    /** Entry ids with their number of spellings and of those to be reviewed. */
    aliasCounts: (kind: NameKind): Map<number, { aliases: number; unreviewed: number }> =>
      new Map(
        (
          db
            .prepare(
              `SELECT entry_id, count(*) AS aliases, sum(auto_mapped) AS unreviewed FROM name_aliases WHERE kind = ?
                GROUP BY entry_id`,
            )
            .all(kind) as { entry_id: number; aliases: number; unreviewed: number }[]
        ).map(({ entry_id, ...counts }) => [entry_id, counts]),
      ),
    /** Entries with a spelling, display, code or detail in which the text stands. */
    search(kind: NameKind, key: string, text: string): Set<number> {
      const details = ['canonical_code', 'canonical_display', ...OWN_COLUMNS[kind]]
        .map((column) => `instr(lower(coalesce("${column}", '')), @text) > 0`)
        .join(' OR ');
      const found = db
        .prepare(
          `SELECT id FROM ${TABLES[kind]} WHERE ${details} UNION SELECT entry_id FROM name_aliases
            WHERE kind = @kind AND @key <> '' AND instr(alias_key, @key) > 0`,
        )
        .pluck()
        .all({ kind, key, text: text.toLowerCase() }) as number[];
      return new Set(found);
    },

    distinctions: (kind: NameKind): { low_id: number; high_id: number }[] =>
      db.prepare('SELECT low_id, high_id FROM name_distinctions WHERE kind = ?').all(kind) as {
        low_id: number;
        high_id: number;
      }[],
    distinguish: (kind: NameKind, low: number, high: number): void =>
      void db
        .prepare('INSERT INTO name_distinctions (kind, low_id, high_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
        .run(kind, low, high),
    forgetDistinction: (kind: NameKind, low: number, high: number): void =>
      void db
        .prepare('DELETE FROM name_distinctions WHERE kind = ? AND low_id = ? AND high_id = ?')
        .run(kind, low, high),

    edition: (part: string): string | undefined =>
      db.prepare('SELECT edition FROM knowledge_editions WHERE part = ?').pluck().get(part) as string | undefined,
    setEdition: (part: string, edition: string, now: string): void =>
      void db
        .prepare(
          `INSERT INTO knowledge_editions (part, edition, sown_at) VALUES (?1, ?2, ?3) ON CONFLICT (part)
            DO UPDATE SET edition = ?2, sown_at = ?3`,
        )
        .run({ 1: part, 2: edition, 3: now }),
  };
}

import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';

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
type AliasKey = Pick<AliasRow, 'entry_id' | 'alias_key'>;

/** Finds a spelling by its folded form. */
export const findByKey = (db: Database, kind: NameKind, key: string): AliasRow | undefined =>
  db.prepare('SELECT * FROM name_aliases WHERE kind = ? AND alias_key = ?').get(kind, key) as AliasRow | undefined;

/** Finds a spelling by its id. */
export const findAlias = (db: Database, kind: NameKind, aliasId: number): AliasRow | undefined =>
  db.prepare('SELECT * FROM name_aliases WHERE kind = ? AND alias_id = ?').get(kind, aliasId) as AliasRow | undefined;

/** Lists the spellings of entries: those to be reviewed first, then in the order they were added. */
export const aliasesOf = (db: Database, kind: NameKind, ids: readonly number[]): AliasRow[] =>
  db
    .prepare(
      `SELECT * FROM name_aliases WHERE kind = ? AND entry_id IN (SELECT value FROM json_each(?))
        ORDER BY auto_mapped DESC, alias_id`,
    )
    .all(kind, JSON.stringify(ids)) as AliasRow[];

/** Lists every folded spelling of a kind with its entry. */
export const listKeys = (db: Database, kind: NameKind): AliasKey[] =>
  db.prepare('SELECT entry_id, alias_key FROM name_aliases WHERE kind = ?').all(kind) as AliasKey[];

/** Lists folded spellings that contain a word. */
export const keysWithWord = (db: Database, kind: NameKind, word: string): AliasKey[] =>
  db
    .prepare("SELECT entry_id, alias_key FROM name_aliases WHERE kind = ? AND instr(' ' || alias_key || ' ', ?) > 0")
    .all(kind, ` ${word} `) as AliasKey[];

/** Adds a spelling and returns its id; does nothing and returns null if the key is taken. */
export function addAlias(
  db: Database,
  kind: NameKind,
  { entryId, alias, key, language = null, auto, now }: NewAlias,
): number | null {
  const result = db
    .prepare(
      `INSERT INTO name_aliases (kind, entry_id, alias, alias_key, language, auto_mapped, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, alias_key) DO NOTHING`,
    )
    .run(kind, entryId, alias, key, language, auto ? 1 : 0, now);
  return result.changes === 1 ? Number(result.lastInsertRowid) : null;
}

/** Replaces the alias under a key with a spelling that a user entered. */
export function rewriteAlias(
  db: Database,
  aliasId: number,
  { entry_id, alias, language }: Pick<AliasRow, 'entry_id' | 'alias' | 'language'>,
): void {
  db.prepare('UPDATE name_aliases SET entry_id = ?, alias = ?, language = ?, auto_mapped = 0 WHERE alias_id = ?').run(
    entry_id,
    alias,
    language,
    aliasId,
  );
}

/** Deletes spellings. */
export function removeAliases(db: Database, kind: NameKind, ids: readonly number[]): void {
  db.prepare('DELETE FROM name_aliases WHERE kind = ? AND alias_id IN (SELECT value FROM json_each(?))').run(
    kind,
    JSON.stringify(ids),
  );
}

/** Moves those of the spellings that still belong to `from`; returns their number. */
export const moveAliases = (db: Database, kind: NameKind, ids: readonly number[], from: number, to: number): number =>
  db
    .prepare(
      `UPDATE name_aliases SET entry_id = ? WHERE kind = ? AND entry_id = ? AND alias_id IN (SELECT value
        FROM json_each(?))`,
    )
    .run(to, kind, from, JSON.stringify(ids)).changes;

/** Marks all spellings of an entry as reviewed; returns how many were not. */
export const confirmAliases = (db: Database, kind: NameKind, entryId: number): number =>
  db
    .prepare('UPDATE name_aliases SET auto_mapped = 0 WHERE kind = ? AND entry_id = ? AND auto_mapped = 1')
    .run(kind, entryId).changes;

/** Counts the spellings of each entry, and those to be reviewed. */
export function countAliases(db: Database, kind: NameKind): Map<number, { aliases: number; unreviewed: number }> {
  const rows = db
    .prepare(
      `SELECT entry_id, count(*) AS aliases, sum(auto_mapped) AS unreviewed FROM name_aliases WHERE kind = ?
        GROUP BY entry_id`,
    )
    .all(kind) as { entry_id: number; aliases: number; unreviewed: number }[];
  return new Map(rows.map(({ entry_id, ...counts }) => [entry_id, counts]));
}

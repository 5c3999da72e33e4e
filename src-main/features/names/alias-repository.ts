import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { aliasKey } from './name-key.ts';
import { TABLES, type Viewer } from './references.ts';

export interface AliasRow {
  alias_id: number;
  entry_id: number;
  alias: string;
  alias_key: string;
  language: string | null;
  auto_mapped: number;
  /** Whether it comes from records, and is shown only to users who may see one of them. */
  printed: number;
  created_at: string;
}
export interface NewAlias {
  entryId: number;
  alias: string;
  key: string;
  language?: string | null;
  auto: boolean;
  printed?: boolean;
  now: string;
}
/** A patient in whose records a spelling appears, or (with `patient_id` 0) the uploader of documents without one. */
export interface AliasSource {
  patient_id: number;
  user_id: number;
}
type AliasKey = Pick<AliasRow, 'entry_id' | 'alias_key'>;

/** The only rule of who sees a spelling `a`; bind it with a `Viewer`. */
export const VISIBLE_ALIAS = `(a.printed = 0 OR EXISTS (SELECT 1 FROM name_alias_sources AS s
  WHERE s.alias_id = a.alias_id AND (s.patient_id IN (SELECT value FROM json_each(@patients))
    OR (s.patient_id = 0 AND (@admin OR s.user_id = @user)))))`;

type Spelling = Pick<AliasRow, 'alias_key' | 'auto_mapped'>;

/** Kinds of which nobody knows all: a new name is not a sign of a misreading, as it is of a test or a disease. */
const WITHOUT_KNOWLEDGE: ReadonlySet<NameKind> = new Set(['doctors', 'facilities']);

/** Whether a spelling was mapped to an entry automatically. The own name of a doctor leaves nothing to review. */
export const isToReview = (kind: NameKind, name: string, { alias_key, auto_mapped }: Spelling): boolean =>
  auto_mapped === 1 && !(WITHOUT_KNOWLEDGE.has(kind) && alias_key === aliasKey(kind, name));

/** Without a viewer, all spellings. */
const shownTo = (viewer: Viewer | undefined): string => (viewer ? VISIBLE_ALIAS : '1');

/** Finds a spelling by its folded form. */
export const findByKey = (db: Database, kind: NameKind, key: string): AliasRow | undefined =>
  db
    .prepare('SELECT * FROM name_aliases WHERE kind = ? AND alias_key = ? ORDER BY auto_mapped, alias_id LIMIT 1')
    .get(kind, key) as AliasRow | undefined;

/** Finds a spelling of an entry by its folded form. */
export const findSpellingOf = (db: Database, kind: NameKind, entryId: number, key: string): AliasRow | undefined =>
  db
    .prepare('SELECT * FROM name_aliases WHERE kind = ? AND entry_id = ? AND alias_key = ? ORDER BY alias_id LIMIT 1')
    .get(kind, entryId, key) as AliasRow | undefined;

/** Finds a spelling by its id, if the viewer may see it. */
export const findAlias = (db: Database, kind: NameKind, aliasId: number, viewer?: Viewer): AliasRow | undefined =>
  db
    .prepare(`SELECT * FROM name_aliases AS a WHERE kind = @kind AND alias_id = @aliasId AND ${shownTo(viewer)}`)
    .get({ ...viewer, kind, aliasId }) as AliasRow | undefined;

/** Lists the spellings of entries: those to be reviewed first, then in the order they were added. */
export const aliasesOf = (db: Database, kind: NameKind, ids: readonly number[], viewer?: Viewer): AliasRow[] =>
  db
    .prepare(
      `SELECT * FROM name_aliases AS a WHERE kind = @kind AND entry_id IN (SELECT value FROM json_each(@ids))
        AND ${shownTo(viewer)} ORDER BY auto_mapped DESC, alias_id`,
    )
    .all({ ...viewer, kind, ids: JSON.stringify(ids) }) as AliasRow[];

/** Lists every folded spelling of a kind with its entry. */
export const listKeys = (db: Database, kind: NameKind, viewer?: Viewer): AliasKey[] =>
  db
    .prepare(`SELECT entry_id, alias_key FROM name_aliases AS a WHERE kind = @kind AND ${shownTo(viewer)}`)
    .all({ ...viewer, kind }) as AliasKey[];

/** Lists folded spellings that contain a word. */
export const keysWithWord = (db: Database, kind: NameKind, word: string): AliasKey[] =>
  db
    .prepare("SELECT entry_id, alias_key FROM name_aliases WHERE kind = ? AND instr(' ' || alias_key || ' ', ?) > 0")
    .all(kind, ` ${word} `) as AliasKey[];

/** Adds a spelling and returns its id; does nothing and returns null if the key is taken. */
export const addAlias = (db: Database, kind: NameKind, alias: NewAlias): number | null =>
  findByKey(db, kind, alias.key) ? null : insertAlias(db, kind, { ...alias, printed: false });

/** Adds a spelling, without a check, and returns its id. */
export const insertAlias = (
  db: Database,
  kind: NameKind,
  { entryId, alias, key, language = null, auto, printed = false, now }: NewAlias,
): number =>
  Number(
    db
      .prepare(
        `INSERT INTO name_aliases (kind, entry_id, alias, alias_key, language, auto_mapped, printed, created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(kind, entryId, alias, key, language, Number(auto), Number(printed), now).lastInsertRowid,
  );

/** Puts back a spelling that a merge removed, under its id. */
export function restoreAlias(db: Database, kind: NameKind, row: AliasRow): void {
  db.prepare(
    `INSERT INTO name_aliases (alias_id, kind, entry_id, alias, alias_key, language, auto_mapped, printed, created_at)
      VALUES (@alias_id, @kind, @entry_id, @alias, @alias_key, @language, @auto_mapped, @printed, @created_at)`,
  ).run({ ...row, kind });
}

/** Shows a spelling only to users who may see one of its sources. */
export const markPrinted = (db: Database, aliasId: number): void =>
  void db.prepare('UPDATE name_aliases SET printed = 1 WHERE alias_id = ?').run(aliasId);

/** Records that a printed spelling appears in records of a patient or an uploader. */
export function addSource(db: Database, aliasId: number, { patient_id, user_id }: AliasSource): void {
  db.prepare(
    'INSERT INTO name_alias_sources (alias_id, patient_id, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  ).run(aliasId, patient_id, user_id);
}

/** Lists the sources of a printed spelling. */
export const listSources = (db: Database, aliasId: number): AliasSource[] =>
  db
    .prepare('SELECT patient_id, user_id FROM name_alias_sources WHERE alias_id = ? ORDER BY patient_id, user_id')
    .all(aliasId) as AliasSource[];

/** Forgets that a record or a user gave a spelling. */
export function removeSource(db: Database, aliasId: number, { patient_id, user_id }: AliasSource): void {
  db.prepare('DELETE FROM name_alias_sources WHERE alias_id = ? AND patient_id = ? AND user_id = ?').run(
    aliasId,
    patient_id,
    user_id,
  );
}

/** Replaces the alias under a key with a spelling that a user entered. */
export function rewriteAlias(
  db: Database,
  aliasId: number,
  { entry_id, alias, language }: Pick<AliasRow, 'entry_id' | 'alias' | 'language'>,
): void {
  db.prepare(
    `UPDATE name_aliases SET entry_id = ?, alias = ?, language = ?, auto_mapped = 0, printed = 0
      WHERE alias_id = ?`,
  ).run(entry_id, alias, language, aliasId);
}

/** Deletes spellings. Their sources stay, so that a restored spelling has them again. */
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

/** Marks all visible spellings of an entry as reviewed. */
export const confirmAliases = (db: Database, kind: NameKind, entryId: number, viewer?: Viewer): void =>
  void db
    .prepare(
      `UPDATE name_aliases AS a SET auto_mapped = 0
        WHERE kind = @kind AND entry_id = @entryId AND auto_mapped = 1 AND ${shownTo(viewer)}`,
    )
    .run({ ...viewer, kind, entryId });

/** Marks the spelling that an entry is called by as reviewed, before a user gives it another name. */
export const confirmName = (db: Database, kind: NameKind, entryId: number, name: string): void =>
  void db
    .prepare('UPDATE name_aliases SET auto_mapped = 0 WHERE kind = ? AND entry_id = ? AND alias_key = ?')
    .run(kind, entryId, aliasKey(kind, name));

/** Counts the visible spellings of each entry that are to be reviewed; entries without any are missing. */
export function countUnreviewed(db: Database, kind: NameKind, viewer: Viewer): Map<number, number> {
  const rows = db
    .prepare(
      `SELECT a.entry_id, a.alias_key, a.auto_mapped, e.canonical_display AS name
        FROM name_aliases AS a JOIN ${TABLES[kind]} AS e ON e.id = a.entry_id
        WHERE a.kind = @kind AND a.auto_mapped = 1 AND ${VISIBLE_ALIAS}`,
    )
    .all({ ...viewer, kind }) as (Spelling & { entry_id: number; name: string })[];
  const toReview = rows.filter((row) => isToReview(kind, row.name, row));
  return new Map([...Map.groupBy(toReview, ({ entry_id }) => entry_id)].map(([id, own]) => [id, own.length]));
}

import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import {
  addAlias,
  addSource,
  aliasesOf,
  confirmAliases,
  confirmName,
  countUnreviewed,
  findAlias,
  findByKey,
  findSpellingOf,
  insertAlias,
  keysWithWord,
  listKeys,
  listSources,
  markPrinted,
  moveAliases,
  removeAliases,
  removeSource,
  restoreAlias,
  rewriteAlias,
  VISIBLE_ALIAS,
} from './alias-repository.ts';
import { CODE_COLUMN, OWN_COLUMNS, TABLES, isSeededKind, type Viewer } from './references.ts';

/** A row of an entry's table. */
export interface EntryRow {
  id: number;
  canonical_code: string;
  canonical_display: string;
  created_at: string;
  /** The patient or, without one, the uploader to whose records the entry belongs. */
  home_patient_id: number | null;
  home_user_id: number | null;
  seeded?: number;
  [column: string]: unknown;
}

/** Two entries that a user declared different. */
interface Distinction {
  low_id: number;
  high_id: number;
}

export type NameRepository = ReturnType<typeof createNameRepository>;

/** Entries and their spellings of all circles. Lookups use the indexed folded key. */
export function createNameRepository(db: Database) {
  return bindFirst(db, {
    entry: findEntry,
    entries: listEntries,
    exists: hasEntry,
    byCanonicalCode: findByCanonicalCode,
    withCanonicalCode: listWithCanonicalCode,
    byPublicCode: findByPublicCode,
    search: searchEntries,
    withoutHome: listWithoutHome,
    insert: insertEntry,
    update: updateEntry,
    reseed: writeColumns,
    remove: removeEntry,

    byKey: findByKey,
    spellingOf: findSpellingOf,
    alias: findAlias,
    aliasesOf,
    keys: listKeys,
    withWord: keysWithWord,
    addAlias,
    insertAlias,
    restoreAlias,
    markPrinted,
    addSource,
    sources: listSources,
    removeSource,
    /** Whether only records of the circle refer to the entry. */
    isOwn: (_db: Database, _kind: NameKind, _id: number): boolean => true,
    /** Records that a spelling appears in a record; only circles know whose. */
    recordSpelling: (_db: Database, _kind: NameKind, _entryId: number, _key: string): void => {},
    rewriteAlias,
    removeAliases,
    moveAliases,
    confirm: confirmAliases,
    confirmName,
    unreviewed: countUnreviewed,

    distinctions: listDistinctions,
    distinguish: addDistinction,
    forgetDistinction: removeDistinction,

    edition: seededEdition,
    setEdition: setSeededEdition,
  });
}

/** Returns an entry. @throws `name.not_found` */
export const requireEntry = (repository: NameRepository, kind: NameKind, id: number): EntryRow =>
  orNotFound(repository.entry(kind, id), 'name.not_found');

const findEntry = (db: Database, kind: NameKind, id: number): EntryRow | undefined =>
  db.prepare(`SELECT * FROM ${TABLES[kind]} WHERE id = ?`).get(id) as EntryRow | undefined;

const listEntries = (db: Database, kind: NameKind): EntryRow[] =>
  db.prepare(`SELECT * FROM ${TABLES[kind]}`).all() as EntryRow[];

const hasEntry = (db: Database, kind: NameKind, id: number): boolean =>
  db.prepare(`SELECT 1 FROM ${TABLES[kind]} WHERE id = ?`).get(id) !== undefined;

const listWithCanonicalCode = (db: Database, kind: NameKind, code: string): EntryRow[] =>
  db.prepare(`SELECT * FROM ${TABLES[kind]} WHERE canonical_code = ? ORDER BY id`).all(code) as EntryRow[];

const findByCanonicalCode = (db: Database, kind: NameKind, code: string): EntryRow | undefined =>
  listWithCanonicalCode(db, kind, code)[0];

/** Finds an entry by LOINC, ICD-10 or ATC code; the oldest one if several have it. */
function findByPublicCode(db: Database, kind: NameKind, code: string): number | null {
  const column = CODE_COLUMN[kind];
  if (column === undefined) return null;
  const id = db.prepare(`SELECT id FROM ${TABLES[kind]} WHERE ${column} = ? ORDER BY id LIMIT 1`).pluck().get(code);
  return (id as number | undefined) ?? null;
}

/** Finds entries with the text in a visible spelling, the display, code or a detail. */
function searchEntries(db: Database, kind: NameKind, key: string, text: string, viewer: Viewer): Set<number> {
  const details = ['canonical_code', 'canonical_display', ...OWN_COLUMNS[kind]]
    .map((column) => `instr(lower(coalesce("${column}", '')), @text) > 0`)
    .join(' OR ');
  const ids = db
    .prepare(
      `SELECT id FROM ${TABLES[kind]} WHERE ${details} UNION SELECT entry_id FROM name_aliases AS a
        WHERE kind = @kind AND @key <> '' AND instr(alias_key, @key) > 0 AND ${VISIBLE_ALIAS}`,
    )
    .pluck()
    .all({ ...viewer, kind, key, text: text.toLowerCase() }) as number[];
  return new Set(ids);
}

/** Inserts an entry with these columns; returns its id. */
function insertEntry(db: Database, kind: NameKind, values: Record<string, unknown>): number {
  const columns = Object.keys(values);
  const list = columns.map((column) => `"${column}"`).join(', ');
  return Number(
    db
      .prepare(`INSERT INTO ${TABLES[kind]} (${list}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(values)).lastInsertRowid,
  );
}

/** Saves a user's change. After that, updates of the knowledge base no longer change the entry. */
const updateEntry = (db: Database, kind: NameKind, id: number, values: Record<string, unknown>): void =>
  writeColumns(db, kind, id, isSeededKind(kind) ? { ...values, seeded: 0 } : values);

/** Writes columns without marking the entry as changed by a user. */
function writeColumns(db: Database, kind: NameKind, id: number, values: Record<string, unknown>): void {
  const columns = Object.keys(values).map((column) => `"${column}" = ?`);
  db.prepare(`UPDATE ${TABLES[kind]} SET ${columns.join(', ')} WHERE id = ?`).run(...Object.values(values), id);
}

function removeEntry(db: Database, kind: NameKind, id: number): void {
  db.prepare(`DELETE FROM ${TABLES[kind]} WHERE id = ?`).run(id);
}

const listDistinctions = (db: Database, kind: NameKind): Distinction[] =>
  db.prepare('SELECT low_id, high_id FROM name_distinctions WHERE kind = ?').all(kind) as Distinction[];

function addDistinction(db: Database, kind: NameKind, low: number, high: number): void {
  db.prepare('INSERT INTO name_distinctions (kind, low_id, high_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING').run(
    kind,
    low,
    high,
  );
}

function removeDistinction(db: Database, kind: NameKind, low: number, high: number): void {
  db.prepare('DELETE FROM name_distinctions WHERE kind = ? AND low_id = ? AND high_id = ?').run(kind, low, high);
}

/** The edition of the knowledge base to which the entries of a kind were last updated. */
const seededEdition = (db: Database, part: string): string | undefined =>
  db.prepare('SELECT edition FROM knowledge_editions WHERE part = ?').pluck().get(part) as string | undefined;

function setSeededEdition(db: Database, part: string, edition: string, now: string): void {
  db.prepare(
    `INSERT INTO knowledge_editions (part, edition, seeded_at) VALUES (?1, ?2, ?3) ON CONFLICT (part)
      DO UPDATE SET edition = ?2, seeded_at = ?3`,
  ).run({ 1: part, 2: edition, 3: now });
}

/** Entries of earlier versions, which all circles shared. */
const listWithoutHome = (db: Database, kind: NameKind): number[] =>
  db
    .prepare(`SELECT id FROM ${TABLES[kind]} WHERE home_patient_id IS NULL AND home_user_id IS NULL ORDER BY id`)
    .pluck()
    .all() as number[];

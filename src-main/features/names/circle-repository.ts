import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { insertAlias, addSource, type AliasRow, type NewAlias } from './alias-repository.ts';
import { circleValues, homeColumns, inCircle, sourceOf, type Circle, type Home } from './circle.ts';
import { createReferenceRepository } from './reference-repository.ts';
import { CODE_COLUMN, TABLES } from './references.ts';
import { createNameRepository, type EntryRow, type NameRepository } from './repository.ts';

/**
 * Holds for spellings `a` that may be known in the circle. An entry can have records of others, too, and their words are
 * not found here. Spellings of earlier versions have no sources.
 */
const KNOWN_IN_CIRCLE = `(a.printed = 0
  OR EXISTS (SELECT 1 FROM name_alias_sources AS s WHERE s.alias_id = a.alias_id
    AND (s.patient_id IN (SELECT value FROM json_each(@circle)) OR (s.patient_id = 0 AND s.user_id = @uploader)))
  OR NOT EXISTS (SELECT 1 FROM name_alias_sources AS s WHERE s.alias_id = a.alias_id))`;

/** The entries of one circle, as if there were no others; new entries and printed spellings belong to its home. */
export function createCircleRepository(db: Database, circle: Circle): NameRepository {
  const base = createNameRepository(db);
  const values = circleValues(circle);
  const aliases = (kind: NameKind, condition: string, more: object): AliasRow[] =>
    db
      .prepare(
        `SELECT a.* FROM name_aliases AS a JOIN ${TABLES[kind]} AS e ON e.id = a.entry_id
          WHERE a.kind = @kind AND ${condition} AND ${KNOWN_IN_CIRCLE} AND ${inCircle(kind)}
          ORDER BY a.auto_mapped, a.alias_id`,
      )
      .all({ ...values, kind, ...more }) as AliasRow[];
  const entries = (kind: NameKind, column: string, code: string): EntryRow[] =>
    db
      .prepare(`SELECT e.* FROM ${TABLES[kind]} AS e WHERE e."${column}" = @code AND ${inCircle(kind)} ORDER BY e.id`)
      .all({ ...values, code }) as EntryRow[];
  const byKey = (kind: NameKind, key: string) => aliases(kind, 'a.alias_key = @key', { key })[0];
  const isInside = ({ patientId, uploaderId }: Home): boolean =>
    patientId === null
      ? circle.home.patientId === null && uploaderId === circle.home.uploaderId
      : circle.patients.includes(patientId);
  return {
    ...base,
    byKey,
    keys: (kind) => aliases(kind, '1', {}),
    withWord: (kind, word) => aliases(kind, "instr(' ' || a.alias_key || ' ', @word) > 0", { word: ` ${word} ` }),
    byCanonicalCode: (kind, code) => entries(kind, 'canonical_code', code)[0],
    withCanonicalCode: (kind, code) => entries(kind, 'canonical_code', code),
    byPublicCode(kind, code) {
      const column = CODE_COLUMN[kind];
      return column === undefined ? null : (entries(kind, column, code)[0]?.id ?? null);
    },
    insert: (kind, columns) => base.insert(kind, { ...columns, ...homeColumns(circle.home) }),
    addAlias(kind: NameKind, alias: NewAlias) {
      if (byKey(kind, alias.key)) return null;
      const id = insertAlias(db, kind, alias);
      if (alias.printed) addSource(db, id, sourceOf(circle.home));
      return id;
    },
    isOwn: (kind, id) => createReferenceRepository(db).owners(kind, id).every(isInside),
    recordSpelling: (kind, entryId, key) => {
      const row = base.spellingOf(kind, entryId, key);
      if (row?.printed) addSource(db, row.alias_id, sourceOf(circle.home));
    },
  };
}

/** Whether an entry belongs to the circle, or one of its records refers to it. */
export const isInCircle = (db: Database, circle: Circle, kind: NameKind, id: number): boolean =>
  db
    .prepare(`SELECT 1 FROM ${TABLES[kind]} AS e WHERE e.id = @id AND ${inCircle(kind)}`)
    .get({ ...circleValues(circle), id }) !== undefined;

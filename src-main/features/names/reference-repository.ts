import type { Database } from '../../platform/database/connection.ts';
import { createQueryCache, databaseVersion } from '../../platform/database/query-cache.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { Home } from './circle.ts';
import { REFERENCES, TABLES, visibleWhere, type Reference, type Viewer } from './references.ts';

/** References that a merge moved away from one entry. */
export interface MovedReferences {
  table: string;
  column: string;
  source_id: number;
  ids: number[];
}
export interface PrintedName {
  text: string;
  sample: string | null;
}

interface Deps {
  db: Database;
  cachedUses(key: string, count: () => ReadonlyMap<number, number>): ReadonlyMap<number, number>;
  cachedDocuments(key: string, find: () => number[]): number[];
}

const from = ({ table, join }: Reference): string => `"${table}" AS r${join}`;
const refersTo = ({ column }: Reference, entry: string): string => `r."${column}" = ${entry}`;

export type ReferenceRepository = ReturnType<typeof createReferenceRepository>;

/** References to entries: which of them a user may see, and moves between entries. */
export function createReferenceRepository(db: Database) {
  const version = () => databaseVersion(db);
  const deps: Deps = { db, cachedUses: createQueryCache(version), cachedDocuments: createQueryCache(version) };
  return {
    ...bindFirst(deps, { uses: countUses, documents: listDocuments }),
    ...bindFirst(db, {
      seen: findSeen,
      isSeen,
      isUsed,
      owners: findOwners,
      moveOwners: moveReferencesOfOwners,
      documentIds: listDocumentIds,
      move: moveReferences,
      moveBack: moveReferencesBack,
      moveWhere: moveReferencesWhere,
    }),
  };
}

/** Holds for unused entries `e` whose home the viewer may change. */
const HOME_IS_WRITABLE = `(e.home_patient_id IN (SELECT value FROM json_each(@writable)) OR (e.home_patient_id IS NULL
  AND @editor AND (e.home_user_id = @user OR (@admin AND e.home_user_id IS NOT NULL))))`;

/** Finds entries that a visible record refers to (`used`), or that nothing refers to (`unused`) at a writable home. */
function findSeen(
  db: Database,
  kind: NameKind,
  viewer: Viewer,
  { used, unused, editor }: { used: boolean; unused: boolean; editor: boolean },
): Set<number> {
  const existsBy = (reference: Reference, condition: string): string =>
    `EXISTS (SELECT 1 FROM ${from(reference)} WHERE ${refersTo(reference, 'e.id')}${condition})`;
  const some = REFERENCES[kind]
    .flatMap((reference) => visibleWhere(reference).map((condition) => existsBy(reference, ` AND ${condition}`)))
    .join(' OR ');
  const none = REFERENCES[kind]
    .map((reference) => `NOT EXISTS (SELECT 1 FROM "${reference.table}" AS r WHERE ${refersTo(reference, 'e.id')})`)
    .join(' AND ');
  return new Set(
    db
      .prepare(
        `SELECT e.id FROM ${TABLES[kind]} AS e
          WHERE (@used AND (${some})) OR (@unused AND ${HOME_IS_WRITABLE} AND ${none})`,
      )
      .pluck()
      .all({ ...viewer, used: Number(used), unused: Number(unused), editor: Number(editor) }) as number[],
  );
}

/** Whether a visible record refers to the entry. */
const isSeen = (db: Database, kind: NameKind, id: number, viewer: Viewer): boolean =>
  REFERENCES[kind].some((reference) =>
    visibleWhere(reference).some(
      (condition) =>
        db
          .prepare(`SELECT 1 FROM ${from(reference)} WHERE ${refersTo(reference, '@id')} AND ${condition} LIMIT 1`)
          .get({ ...viewer, id }) !== undefined,
    ),
  );

/** Whether any record refers to the entry. */
const isUsed = (db: Database, kind: NameKind, id: number): boolean =>
  REFERENCES[kind].some(
    (reference) =>
      db.prepare(`SELECT 1 FROM "${reference.table}" AS r WHERE ${refersTo(reference, '?')} LIMIT 1`).get(id) !==
      undefined,
  );

/** Counts the visible references to each of the entries. */
const countUses = (
  { db, cachedUses }: Deps,
  kind: NameKind,
  ids: readonly number[],
  viewer: Viewer,
): ReadonlyMap<number, number> =>
  cachedUses(JSON.stringify([kind, ids, viewer]), () => {
    const counts = new Map<number, number>();
    for (const reference of REFERENCES[kind])
      for (const condition of visibleWhere(reference)) {
        const rows = db
          .prepare(
            `SELECT n.value AS id, (SELECT count(*) FROM ${from(reference)}
              WHERE ${refersTo(reference, 'n.value')} AND ${condition}) AS uses FROM json_each(@ids) AS n`,
          )
          .all({ ...viewer, ids: JSON.stringify(ids) }) as { id: number; uses: number }[];
        for (const { id, uses } of rows) counts.set(id, (counts.get(id) ?? 0) + uses);
      }
    return counts;
  });

/** Finds the owners of the records that refer to the entry: patients, and uploaders of unassigned documents. */
function findOwners(db: Database, kind: NameKind, id: number): Home[] {
  const everyPatient = db.prepare('SELECT id FROM patients ORDER BY id').pluck().all() as number[];
  const patients = everyPatient.filter((patient) =>
    REFERENCES[kind].some(
      (reference) =>
        db
          .prepare(
            `SELECT 1 FROM ${from(reference)} WHERE ${refersTo(reference, '?')} AND ${reference.patient} = ? LIMIT 1`,
          )
          .get(id, patient) !== undefined,
    ),
  );
  const uploaders = REFERENCES[kind]
    .filter(({ document }) => document !== null)
    .flatMap(
      (reference) =>
        db
          .prepare(
            `SELECT DISTINCT u.uploaded_by_user_id FROM "${reference.table}" AS r
              JOIN documents AS u ON u.id = ${reference.document}
              WHERE ${refersTo(reference, '?')} AND u.patient_id IS NULL`,
          )
          .pluck()
          .all(id) as (number | null)[],
    );
  return [
    ...patients.map((patientId): Home => ({ patientId, uploaderId: null })),
    ...[...new Set(uploaders)].map((uploaderId): Home => ({ patientId: null, uploaderId })),
  ];
}

/** Points the references of these owners' records to another entry. */
function moveReferencesOfOwners(
  db: Database,
  kind: NameKind,
  source: number,
  target: number,
  owners: readonly Home[],
): void {
  const patients = owners.flatMap(({ patientId }) => patientId ?? []);
  const uploaders = owners.filter(({ patientId }) => patientId === null).map(({ uploaderId }) => uploaderId ?? 0);
  for (const reference of REFERENCES[kind]) {
    const { table, column, patient, document } = reference;
    const isUploaded = `EXISTS (SELECT 1 FROM documents AS u WHERE u.id = ${document}
      AND coalesce(u.uploaded_by_user_id, 0) IN (SELECT value FROM json_each(@uploaders)))`;
    db.prepare(
      `UPDATE "${table}" SET "${column}" = @target WHERE id IN (SELECT r.id FROM ${from(reference)}
        WHERE ${refersTo(reference, '@source')} AND (${patient} IN (SELECT value FROM json_each(@patients))
        ${document === null ? '' : `OR (${patient} IS NULL AND ${isUploaded})`}))`,
    ).run({ source, target, patients: JSON.stringify(patients), uploaders: JSON.stringify(uploaders) });
  }
}

/** Lists visible documents that refer to the entry, directly or by a row; newest first. */
function listDocuments(
  { db, cachedDocuments }: Deps,
  kind: NameKind,
  id: number,
  viewer: Viewer,
  limit: number,
  offset: number,
): { items: unknown[]; total: number } {
  const ids = cachedDocuments(JSON.stringify([kind, id, viewer]), () => newestDocuments(db, kind, id, viewer));
  const items = db
    .prepare(
      `SELECT d.id, d.title, d.original_filename, d.doc_type, d.event_date, d.patient_id,
          p.display_name AS patient_name, f.canonical_display AS facility_name, dr.canonical_display AS doctor_name,
          coalesce(s.canonical_display, d.specialty_original) AS specialty_display
        FROM json_each(?) AS found JOIN documents AS d ON d.id = found.value
        LEFT JOIN patients AS p ON p.id = d.patient_id LEFT JOIN facilities AS f ON f.id = d.facility_id
        LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id
        ORDER BY found.key`,
    )
    .all(JSON.stringify(ids.slice(offset, offset + limit)));
  return { items, total: ids.length };
}

function newestDocuments(db: Database, kind: NameKind, id: number, viewer: Viewer): number[] {
  const parts = REFERENCES[kind].flatMap((reference) =>
    visibleWhere(reference).map((condition) =>
      reference.document === null
        ? // An event counts for its documents.
          `SELECT x.document_id AS id FROM ${from(reference)} JOIN event_documents AS x ON x.event_id = r.id
            WHERE ${refersTo(reference, '@id')} AND ${condition}`
        : `SELECT ${reference.document} AS id FROM ${from(reference)}
          WHERE ${refersTo(reference, '@id')} AND ${reference.document} IS NOT NULL AND ${condition}`,
    ),
  );
  return db
    .prepare(
      `SELECT d.id FROM (${parts.join(' UNION ')}) AS f JOIN documents AS d ON d.id = f.id
        ORDER BY d.event_date DESC, d.id DESC`,
    )
    .pluck()
    .all({ ...viewer, id }) as number[];
}

/** Lists ids of documents greater than `after` whose search text contains the entry's display. */
function listDocumentIds(db: Database, kind: NameKind, id: number, after: number, limit: number): number[] {
  const parts = REFERENCES[kind]
    .filter(({ document }) => document !== null)
    .map(
      (reference) =>
        `SELECT ${reference.document} AS id FROM "${reference.table}" AS r
          WHERE ${refersTo(reference, '@id')} AND ${reference.document} > @after`,
    );
  return db
    .prepare(`${parts.join(' UNION ')} ORDER BY id LIMIT @limit`)
    .pluck()
    .all({ id, after, limit }) as number[];
}

/** Points every reference of an entry to another; returns those references. */
const moveReferences = (db: Database, kind: NameKind, source: number, target: number): MovedReferences[] =>
  REFERENCES[kind].flatMap(({ table, column }) => {
    const ids = db.prepare(`SELECT id FROM "${table}" WHERE "${column}" = ?`).pluck().all(source) as number[];
    if (ids.length === 0) return [];
    db.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ?`).run(target, source);
    return [{ table, column, source_id: source, ids }];
  });

/** Moves back those of the references that still point to the target; returns how many. */
const moveReferencesBack = (db: Database, { table, column, source_id, ids }: MovedReferences, target: number): number =>
  db
    .prepare(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ? AND id IN (SELECT value FROM json_each(?))`)
    .run(source_id, target, JSON.stringify(ids)).changes;

/** Moves the references of records whose printed name passes the test; each printed name is tested once. */
function moveReferencesWhere(
  db: Database,
  kind: NameKind,
  source: number,
  target: number,
  passes: (name: PrintedName) => boolean,
): number {
  let movedCount = 0;
  for (const { table, column, printed } of REFERENCES[kind]) {
    if (!printed) continue;
    // The second argument makes coalesce work with a single column.
    const name = `coalesce(${printed.columns.map((part) => `nullif("${part}", '')`).join(', ')}, NULL)`;
    const sampleColumn = printed.sample ? `"${printed.sample}"` : 'NULL';
    const names = db
      .prepare(`SELECT DISTINCT ${name} AS text, ${sampleColumn} AS sample FROM "${table}" WHERE "${column}" = ?`)
      .all(source) as { text: string | null; sample: string | null }[];
    for (const { text, sample } of names) {
      if (text === null || !passes({ text, sample })) continue;
      movedCount += db
        .prepare(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ? AND ${name} = ? AND ${sampleColumn} IS ?`)
        .run(target, source, text, sample).changes;
    }
  }
  return movedCount;
}

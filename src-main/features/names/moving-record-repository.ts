import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { REFERENCES, type Reference } from './references.ts';

/** A document with its rows, or an event. */
export interface MovingRecord {
  table: 'documents' | 'events';
  id: number;
}

/** References that the rows of such a record can have. */
export const referencesOf = (kind: NameKind, record: MovingRecord): Reference[] =>
  REFERENCES[kind].filter((reference) => belongsTo(reference, record));

const belongsTo = ({ table, document }: Reference, record: MovingRecord): boolean =>
  record.table === 'events' ? table === 'events' : document !== null;

const isPartOf = ({ document }: Reference): string => `${document ?? 'r.id'} = @record`;

/** The entries that a record refers to. */
export const entriesOf = (db: Database, reference: Reference, record: MovingRecord): number[] =>
  db
    .prepare(
      `SELECT DISTINCT r."${reference.column}" FROM "${reference.table}" AS r
        WHERE ${isPartOf(reference)} AND r."${reference.column}" IS NOT NULL`,
    )
    .pluck()
    .all({ record: record.id }) as number[];

/** Lets a record refer to another entry. */
export function repoint(db: Database, reference: Reference, record: MovingRecord, from: number, to: number): void {
  const { table, column } = reference;
  db.prepare(
    `UPDATE "${table}" SET "${column}" = @to WHERE id IN (SELECT r.id FROM "${table}" AS r
      WHERE ${isPartOf(reference)} AND r."${column}" = @from)`,
  ).run({ record: record.id, from, to });
}

/** Whether all references to the entry are in this record. */
export const isUsedOnlyBy = (db: Database, kind: NameKind, id: number, record: MovingRecord): boolean =>
  REFERENCES[kind].every((reference) => {
    const elsewhere = belongsTo(reference, record) ? `AND coalesce(${reference.document ?? 'r.id'}, 0) <> @record` : '';
    return (
      db
        .prepare(`SELECT 1 FROM "${reference.table}" AS r WHERE r."${reference.column}" = @id ${elsewhere} LIMIT 1`)
        .get({ id, record: record.id }) === undefined
    );
  });

import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { Home } from './circle.ts';
import { REFERENCES, type Reference } from './references.ts';

/** How the records of one owner print the name of an entry. */
export interface PrintedUse extends Home {
  text: string;
  sample: string | null;
  uses: number;
}

/** The field of a reading with the printed name, for references to doctors and facilities. */
const READ_FIELDS: Partial<Record<string, string>> = { doctor_id: 'doctor_name', facility_id: 'facility_name' };

/** Finds the printed names of all records that refer to an entry. */
export const findPrintedNames = (db: Database, kind: NameKind, id: number): PrintedUse[] =>
  REFERENCES[kind].flatMap((reference) => printedBy(db, reference, id));

function printedBy(db: Database, reference: Reference, id: number): PrintedUse[] {
  const { table, column, patient, document, join, printed } = reference;
  const ofDocument = (what: string): string =>
    document === null ? 'NULL' : `(SELECT u.${what} FROM documents AS u WHERE u.id = ${document})`;
  const rows = db
    .prepare(
      `SELECT ${patient} AS patientId, ${ofDocument('uploaded_by_user_id')} AS uploaderId,
          ${textOf(reference)} AS text, ${printed?.sample ? `r."${printed.sample}"` : 'NULL'} AS sample, count(*) AS uses
        FROM "${table}" AS r${join} WHERE r."${column}" = ? GROUP BY 1, 2, 3, 4`,
    )
    .all(id) as (Omit<PrintedUse, 'text'> & { text: string | null })[];
  return rows.flatMap(({ text, patientId, uploaderId, ...row }) =>
    text ? [{ ...row, text, patientId, uploaderId: patientId === null ? uploaderId : null }] : [],
  );
}

function textOf({ column, document, printed }: Reference): string {
  if (printed) return `coalesce(${printed.columns.map((name) => `nullif(r."${name}", '')`).join(', ')}, NULL)`;
  const field = READ_FIELDS[column];
  if (document === null || field === undefined) return 'NULL';
  return `(SELECT x.raw_extraction ->> '$.${field}.value' FROM document_extractions AS x
    WHERE x.document_id = ${document})`;
}

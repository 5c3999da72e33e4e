import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import {
  document_extractions,
  document_sections,
  documents,
  encounters,
  extraction_corrections,
  invoice_items,
  lab_results,
  medications,
  vaccinations,
} from '../../platform/database/schema/index.ts';
import type { SummaryRows } from '../../reading/extraction/summary.ts';
import { rowsWithoutUserEdits, withReadKeys, type EditableKind, type UserRow } from './edit/user-edits.ts';

export interface DocumentRows {
  lab_results: Omit<typeof lab_results.$inferInsert, 'document_id'>[];
  encounters: Omit<typeof encounters.$inferInsert, 'document_id'>[];
  medications: Omit<typeof medications.$inferInsert, 'document_id'>[];
  vaccinations: Omit<typeof vaccinations.$inferInsert, 'document_id'>[];
  invoice_items: Omit<typeof invoice_items.$inferInsert, 'document_id'>[];
  sections: Omit<typeof document_sections.$inferInsert, 'document_id'>[];
}

/** Extracted fields that users may correct. */
const CORRECTABLE_FIELDS = [
  'doc_type',
  'event_date',
  'issued_date',
  'doctor_id',
  'facility_id',
  'specialty_original',
  'summary_en',
] as const;
const EDITABLE_TABLES = { lab_results, encounters, medications, vaccinations } as const;

/**
 * Replaces the extracted rows of a document, except rows that a user edited, added or removed. `entriesOf` returns the
 * columns with a row's canonical entries.
 * @returns the rows that were read, but not stored, because a user edited or removed them
 */
export function replaceRows(
  { orm }: Database,
  id: number,
  rows: DocumentRows,
  entriesOf: (kind: EditableKind, row: object) => object,
): object[] {
  const replaced: object[] = [];
  for (const [name, table] of Object.entries({ invoice_items, sections: document_sections }) as [
    'invoice_items',
    typeof invoice_items,
  ][]) {
    orm.delete(table).where(eq(table.document_id, id)).run();
    for (const row of rows[name])
      orm
        .insert(table)
        .values({ ...row, document_id: id })
        .run();
  }
  for (const [kind, table] of Object.entries(EDITABLE_TABLES) as [EditableKind, typeof lab_results][]) {
    orm
      .delete(table)
      .where(and(eq(table.document_id, id), isNull(table.edited_fields)))
      .run();
    const editedRows = orm
      .select()
      .from(table)
      .where(eq(table.document_id, id))
      .all()
      .map((row): UserRow => ({ row, readKey: row.read_key }));
    const read = withReadKeys<object>(kind, rows[kind]);
    const newRows = rowsWithoutUserEdits(kind, read, [...editedRows, ...removedRows(orm, id, kind)]);
    replaced.push(...read.filter((row) => !newRows.includes(row)));
    for (const row of newRows)
      orm
        .insert(table)
        .values({ ...row, ...entriesOf(kind, row), document_id: id } as typeof lab_results.$inferInsert)
        .run();
  }
  return replaced;
}

/** The rows of a document as its summary quotes them. */
export function summaryRows({ orm }: Database, id: number): SummaryRows {
  const of = <T extends (typeof EDITABLE_TABLES)[EditableKind]>(table: T): T['$inferSelect'][] =>
    orm
      .select()
      .from(table as typeof medications)
      .where(eq(table.document_id, id))
      .orderBy(table.id)
      .all() as T['$inferSelect'][];
  return {
    diagnoses: of(encounters).flatMap(({ diagnosis_original, diagnosis_code }) =>
      diagnosis_original === null ? [] : [{ diagnosis_original, diagnosis_code }],
    ),
    lab_results: of(lab_results).map((row) => ({ ...row, doubt: row.doubt ?? [] })),
    medications: of(medications),
    vaccinations: of(vaccinations).flatMap(({ vaccine_name }) => (vaccine_name === null ? [] : [{ vaccine_name }])),
  };
}

/** Rows that a user removed: stored as corrections without a new value. */
const removedRows = (orm: Database['orm'], documentId: number, kind: EditableKind): UserRow[] =>
  orm
    .select({ row: extraction_corrections.old_value })
    .from(extraction_corrections)
    .where(
      and(
        eq(extraction_corrections.document_id, documentId),
        eq(extraction_corrections.field, kind),
        isNull(extraction_corrections.new_value),
      ),
    )
    .all()
    .map(({ row }): UserRow => {
      const values = JSON.parse(row ?? '{}') as { read_key?: string };
      return { row: values, readKey: values.read_key ?? null };
    });

/** Saves the extraction as the provider returned it. */
export function saveRawExtraction({ orm }: Database, id: number, raw: string): void {
  orm
    .insert(document_extractions)
    .values({ document_id: id, raw_extraction: raw })
    .onConflictDoUpdate({ target: document_extractions.document_id, set: { raw_extraction: raw } })
    .run();
}

/** Records a user's changes to a row of a document. */
export function recordRowCorrections(
  { orm }: Database,
  documentId: number,
  corrections: readonly { field: string; old_value: string | null; new_value: string | null }[],
  now: string,
): void {
  if (corrections.length === 0) return;
  orm
    .insert(extraction_corrections)
    .values(corrections.map((correction) => ({ ...correction, document_id: documentId, created_at: now })))
    .run();
}

/** Records a user's corrections of extracted fields. */
export function recordCorrections(
  db: Database,
  before: typeof documents.$inferSelect,
  fields: Partial<typeof documents.$inferInsert>,
  now: string,
): void {
  const changes = CORRECTABLE_FIELDS.filter(
    (field) => fields[field] !== undefined && fields[field] !== before[field],
  ).map((field) => ({ field, old_value: textOf(before[field]), new_value: textOf(fields[field]) }));
  recordRowCorrections(db, before.id, changes, now);
}

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

import { gunzipSync } from 'node:zlib';
import type { DocumentType } from '../../../src-shared/medical/document-type.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Database } from '../../platform/database/connection.ts';

/** The details of a document that a model may propose to change. */
export interface Details {
  id: number;
  patient_id: number | null;
  title: string | null;
  doc_type: DocumentType | null;
  event_date: string | null;
  issued_date: string | null;
  doctor_name: string | null;
  facility_name: string | null;
  specialty_original: string | null;
  summary_en: string | null;
  notes: string | null;
  tags: string | null;
  user_notes: string | null;
  original_filename: string;
}

/** An event to which a document may belong. */
export interface EventChoice {
  id: number;
  title: string;
  event_type: string;
  date_start: string | null;
  date_end: string | null;
  diagnosis_text: string | null;
}

const DETAILS = `d.id, d.patient_id, d.title, d.doc_type, d.event_date, d.issued_date,
  dr.canonical_display AS doctor_name, f.canonical_display AS facility_name, d.specialty_original, d.summary_en, d.notes, d.tags, d.user_notes,
  d.original_filename`;
const JOINS = `LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id`;
/** More would not fit into the memory of a small model. */
const MAX_CHOICES = 40;

export type SuggestionRepository = ReturnType<typeof createSuggestionRepository>;

function pagesWithin(db: Database, id: number, maxLetters: number): PageText[] {
  const packed = db.prepare('SELECT data FROM document_pages WHERE document_id = ? ORDER BY page').pluck();
  const pages: PageText[] = [];
  let letters = 0;
  for (const data of packed.iterate(id) as IterableIterator<Buffer>) {
    const page = JSON.parse(gunzipSync(data).toString()) as PageText;
    pages.push(page);
    letters += page.text.length;
    if (letters >= maxLetters) break;
  }
  return pages;
}

/** What a model is given of a document, and of its patient's record. */
export function createSuggestionRepository(db: Database) {
  return {
    details: (id: number): Details | undefined =>
      db.prepare(`SELECT ${DETAILS} FROM documents AS d ${JOINS} WHERE d.id = ?`).get(id) as Details | undefined,
    /** The first pages, until their text is this long; the others are not unpacked. */
    pages: (id: number, maxLetters: number): PageText[] => pagesWithin(db, id, maxLetters),
    /** Documents of the record of the same patient without a link to this one, the nearest in time first. */
    others: (id: number): Details[] =>
      db
        .prepare(
          `SELECT ${DETAILS} FROM record_documents AS o
            JOIN record_documents AS d ON d.patient_id = o.patient_id ${JOINS}
            WHERE o.id = ?1 AND d.id <> ?1 AND NOT EXISTS (SELECT 1 FROM document_links AS l
              WHERE (l.source_document_id = ?1 AND l.target_document_id = d.id)
                OR (l.source_document_id = d.id AND l.target_document_id = ?1))
            ORDER BY d.event_date IS NULL, abs(julianday(d.event_date) - julianday(coalesce(o.event_date, 'now'))), d.id
            LIMIT ${MAX_CHOICES}`,
        )
        .all({ 1: id }) as Details[],
    /** Events of the patient of a document of the record to which it does not belong, the nearest in time first. */
    events: (id: number): EventChoice[] =>
      db
        .prepare(
          `SELECT e.id, e.title, e.event_type, e.date_start, e.date_end, e.diagnosis_text
            FROM record_documents AS o JOIN events AS e ON e.patient_id = o.patient_id
            WHERE o.id = ?1 AND NOT EXISTS (SELECT 1 FROM event_documents AS l
              WHERE l.event_id = e.id AND l.document_id = ?1)
            ORDER BY e.date_start IS NULL, abs(julianday(e.date_start) - julianday(coalesce(o.event_date, 'now'))), e.id
            LIMIT ${MAX_CHOICES}`,
        )
        .all({ 1: id }) as EventChoice[],
    /** Whether the document is in the record of a decided patient. */
    isInRecord: (id: number): boolean =>
      db.prepare('SELECT 1 FROM record_documents WHERE id = ? AND patient_id IS NOT NULL').get(id) !== undefined,
  };
}

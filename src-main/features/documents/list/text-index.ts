import type { Database } from '../../../platform/database/connection.ts';

const join = (...parts: unknown[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join('\n');

/**
 * Writes what search knows of a document: names and labels from its row and the rows that hang on it; `body` when it was read anew.
 * Part of the transaction that changed the row; triggers carry it into the index.
 */
export function reindexDocument(db: Database, id: number, body?: string): void {
  const row = db
    .prepare(`SELECT d.original_filename, d.doc_type, d.specialty_original, d.summary_en, d.tags, d.notes, d.user_notes, d.insurance_company, d.extracted_patient_name,
      p.display_name AS patient, dr.canonical_display AS doctor, f.canonical_display AS facility, s.canonical_display AS specialty, e.title AS event
    FROM documents AS d LEFT JOIN patients AS p ON p.id = d.patient_id LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id
      LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id LEFT JOIN events AS e ON e.id = d.event_id WHERE d.id = ?`)
    .get(id) as Record<string, unknown> | undefined;
  if (!row) return;
  const terms = db
    .prepare(`SELECT DISTINCT test_name_original AS term FROM lab_results WHERE document_id = ?1
    UNION SELECT diagnosis_original FROM encounters WHERE document_id = ?1 UNION SELECT diagnosis_code FROM encounters WHERE document_id = ?1
    UNION SELECT brand_name FROM medications WHERE document_id = ?1 UNION SELECT active_ingredient_original FROM medications WHERE document_id = ?1
    UNION SELECT vaccine_name FROM vaccinations WHERE document_id = ?1
    UNION SELECT n.canonical_display FROM lab_results AS r JOIN norm_lab_tests AS n ON n.id = r.norm_lab_test_id WHERE r.document_id = ?1
    UNION SELECT n.canonical_display FROM encounters AS r JOIN norm_diagnoses AS n ON n.id = r.norm_diagnosis_id WHERE r.document_id = ?1
    UNION SELECT n.canonical_display FROM medications AS r JOIN norm_medications AS n ON n.id = r.norm_medication_id WHERE r.document_id = ?1`)
    .all({ 1: id }) as { term: string | null }[];
  const title = join(row['original_filename']);
  const people = join(
    row['patient'],
    row['extracted_patient_name'],
    row['doctor'],
    row['facility'],
    row['insurance_company'],
  );
  const labels = join(
    String(row['doc_type'] ?? '').replaceAll('_', ' '),
    row['specialty'],
    row['specialty_original'],
    row['event'],
    String(row['tags'] ?? '').replaceAll(',', '\n'),
    row['summary_en'],
    row['notes'],
    row['user_notes'],
    ...terms.map(({ term }) => term),
  );
  db.prepare(`INSERT INTO document_texts (id, title, body, people, labels) VALUES (?1, ?2, coalesce(?3, ''), ?4, ?5)
    ON CONFLICT (id) DO UPDATE SET title = ?2, body = coalesce(?3, body), people = ?4, labels = ?5
    WHERE title <> ?2 OR people <> ?4 OR labels <> ?5 OR (?3 IS NOT NULL AND body <> ?3)`).run({
    1: id,
    2: title,
    3: body ?? null,
    4: people,
    5: labels,
  });
}

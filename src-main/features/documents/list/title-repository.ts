import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { documentTitle, type TitleFacts } from '../../../../src-shared/medical/document-title.ts';
import type { Database } from '../../../platform/database/connection.ts';

type Named = { document_id: number; name: string };
/** SQLite takes 32 766 values in a statement; a list page has 500 rows at most. */
const MAX_IDS = 1000;
/** Enough characters of the findings for a first sentence. */
const MAX_FINDINGS_LENGTH = 400;

const NAMES: Record<'tests' | 'medicines' | 'vaccines' | 'diagnoses' | 'studies' | 'invoiced', string> = {
  tests: `SELECT l.document_id, coalesce(n.canonical_display, l.test_name_original) AS name FROM lab_results AS l LEFT
    JOIN norm_lab_tests AS n ON n.id = l.norm_lab_test_id
    WHERE l.document_id IN (IDS) ORDER BY coalesce(l.is_abnormal, 0) DESC, l.id`,
  medicines: `SELECT document_id, trim(coalesce(brand_name, active_ingredient_original, '') || ' ' || coalesce(dosage,
    '')) AS name FROM medications WHERE document_id IN (IDS) ORDER BY id`,
  vaccines: `SELECT document_id, vaccine_name AS name FROM vaccinations WHERE document_id IN (IDS) ORDER BY id`,
  diagnoses: `SELECT document_id, diagnosis_original AS name FROM encounters
    WHERE document_id IN (IDS) AND diagnosis_original IS NOT NULL ORDER BY id`,
  studies: `SELECT document_id, coalesce(study_description, nullif(trim(coalesce(modality,
    '') || ' ' || coalesce(body_part, '')), '')) AS name FROM imaging_studies WHERE document_id IN (IDS) ORDER BY id`,
  invoiced: `SELECT document_id, description AS name FROM invoice_items WHERE document_id IN (IDS) ORDER BY id`,
};
/** Newest first, so that the first encounter with findings is the last one set. */
const FINDINGS = `SELECT document_id, substr(findings, 1, ${MAX_FINDINGS_LENGTH}) AS name FROM encounters
  WHERE document_id IN (IDS) AND findings IS NOT NULL ORDER BY id DESC`;
/** The sum of the lines is the invoice total only if all lines have an amount in one currency. */
const TOTALS = `SELECT document_id, printf('%.2f', sum(amount)) || ' ' || min(currency) AS name FROM invoice_items
  WHERE document_id IN (IDS)
  GROUP BY document_id HAVING count(*) = count(amount) AND count(*) = count(currency) AND count(DISTINCT currency) = 1`;

type Facts = { [K in keyof TitleFacts]: TitleFacts[K] extends readonly string[] ? string[] : TitleFacts[K] };

/** Titles of documents by id, composed from their rows; null for a document without any describing content. */
export function createTitles(db: Database): (ids: readonly number[]) => Map<number, string | null> {
  return (ids) => {
    const slices = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, slice) =>
      ids.slice(slice * MAX_IDS, (slice + 1) * MAX_IDS),
    );
    return new Map(slices.flatMap((slice) => readTitles(db, slice)));
  };
}

function readTitles(db: Database, ids: readonly number[]): [number, string | null][] {
  const read = <Row>(sql: string): Row[] =>
    db.prepare(sql.replace('IDS', ids.map(() => '?').join(','))).all(...ids) as Row[];
  const documents = read<{ id: number; type: DocumentType | null; summary: string | null }>(
    'SELECT id, doc_type AS type, summary_en AS summary FROM documents WHERE id IN (IDS)',
  );
  const facts = new Map(documents.map(({ id, type, summary }) => [id, emptyFacts(type, summary)]));
  for (const [kind, sql] of Object.entries(NAMES))
    for (const { document_id, name } of read<Named>(sql))
      if (name) facts.get(document_id)?.[kind as keyof typeof NAMES].push(name);
  for (const { document_id, name } of read<Named>(FINDINGS)) setFact(facts, document_id, 'findings', name);
  for (const { document_id, name } of read<Named>(TOTALS)) setFact(facts, document_id, 'total', name);
  return [...facts].map(([id, factsOfDocument]) => [id, documentTitle(factsOfDocument)]);
}

const emptyFacts = (type: DocumentType | null, summary: string | null): Facts => ({
  type,
  summary,
  findings: null,
  total: null,
  tests: [],
  medicines: [],
  vaccines: [],
  diagnoses: [],
  studies: [],
  invoiced: [],
});

function setFact(facts: Map<number, Facts>, id: number, key: 'findings' | 'total', value: string): void {
  const factsOfDocument = facts.get(id);
  if (factsOfDocument) factsOfDocument[key] = value;
}

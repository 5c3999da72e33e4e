import type { z } from 'zod';
import type { DocumentNaming, highlights as wire } from '../../../../src-shared/contract/document-naming.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { createQueryCache, databaseVersion } from '../../../platform/database/query-cache.ts';

type Highlights = z.input<typeof wire>;

/** The ids of a JSON array, so that a statement has the same text for any number of documents. */
const AMONG = '(SELECT value FROM json_each(?))';
const MAX_SUBJECTS = 3;
const MAX_SUBJECT_LENGTH = 90;
/** Enough characters of the findings for a first sentence. */
const MAX_FINDINGS_LENGTH = 400;

const SUBJECTS = {
  medicines: `SELECT document_id, trim(coalesce(brand_name, active_ingredient_original, '') || ' ' || coalesce(dosage,
    '')) AS name FROM medications WHERE document_id IN ${AMONG} ORDER BY id`,
  vaccines: `SELECT document_id, vaccine_name AS name FROM vaccinations WHERE document_id IN ${AMONG} ORDER BY id`,
  diagnoses: `SELECT document_id, diagnosis_original AS name FROM encounters
    WHERE document_id IN ${AMONG} AND diagnosis_original IS NOT NULL ORDER BY id`,
  studies: `SELECT document_id, coalesce(study_description, nullif(trim(coalesce(modality,
    '') || ' ' || coalesce(body_part, '')), '')) AS name FROM imaging_studies WHERE document_id IN ${AMONG} ORDER BY id`,
  invoiced: `SELECT document_id, description AS name FROM invoice_items WHERE document_id IN ${AMONG} ORDER BY id`,
} as const;
type Kind = keyof typeof SUBJECTS;

/** The first of these kinds that a document has are its subjects; an imaging report has none of its diagnoses. */
const KINDS_OF_TYPE: Partial<Record<DocumentType, readonly Kind[]>> = {
  prescription: ['medicines', 'diagnoses', 'vaccines', 'studies'],
  vaccination: ['vaccines', 'diagnoses', 'medicines', 'studies'],
  imaging_report: ['studies'],
  invoice: ['invoiced'],
};
const OTHER_KINDS: readonly Kind[] = ['diagnoses', 'medicines', 'vaccines', 'studies'];

const RESULTS = `SELECT document_id, count(*) AS results, sum(doubt IS NOT NULL AND doubt <> '[]') AS doubtful,
    coalesce(sum(is_abnormal = 0 AND (doubt IS NULL OR doubt = '[]') AND (value IS NULL OR
      reference_range_low IS NOT NULL OR reference_range_high IS NOT NULL OR
      EXISTS (SELECT 1 FROM json_each(edited_fields) WHERE value = 'is_abnormal'))), 0) AS in_range,
    coalesce(sum(is_abnormal = 1 AND (doubt IS NULL OR doubt = '[]')), 0) AS out_of_range
  FROM lab_results WHERE document_id IN ${AMONG} GROUP BY document_id`;
/** Newest first, so that the first encounter with findings, or with a stay, is the last one set. */
const FINDINGS = `SELECT document_id, substr(findings, 1, ${MAX_FINDINGS_LENGTH}) AS name FROM encounters
  WHERE document_id IN ${AMONG} AND findings IS NOT NULL ORDER BY id DESC`;
const STAYS = `SELECT document_id, admission_date, discharge_date FROM encounters
  WHERE document_id IN ${AMONG} AND admission_date IS NOT NULL AND discharge_date IS NOT NULL ORDER BY id DESC`;
/** The sum of the lines is the invoice total only if all lines have an amount in one currency. */
const TOTALS = `SELECT document_id, round(sum(amount), 2) AS amount, min(currency) AS currency FROM invoice_items
  WHERE document_id IN ${AMONG}
  GROUP BY document_id HAVING count(*) = count(amount) AND count(*) = count(currency) AND count(DISTINCT currency) = 1`;

const DOCUMENTS = `SELECT d.id, d.title, d.original_filename, d.doc_type, d.event_date, d.summary_en,
    f.canonical_display AS facility_name, dr.canonical_display AS doctor_name,
    coalesce(s.canonical_display, d.specialty_original) AS specialty_display
  FROM documents AS d LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id
  LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id WHERE d.id IN ${AMONG}`;

interface Facts extends Omit<Highlights, 'subjects' | 'more'> {
  findings: string | null;
  names: Record<Kind, string[]>;
}

/** What names these documents, by id; that of a page is cached until the next write. */
export type Namings = (ids: readonly number[]) => ReadonlyMap<number, DocumentNaming>;

export function createNamings(db: Database): Namings {
  const cached = createQueryCache<ReturnType<Namings>>(() => databaseVersion(db));
  return (ids) => cached(JSON.stringify(ids), () => new Map(readNamings(db, ids)));
}

function readNamings(db: Database, ids: readonly number[]): [number, DocumentNaming][] {
  const list = JSON.stringify(ids);
  const read = <Row>(sql: string): Row[] => db.prepare(sql).all(list) as Row[];
  const facts = new Map(ids.map((id) => [id, emptyFacts()]));
  const factsOf = (row: { document_id: number }): Facts => facts.get(row.document_id) ?? emptyFacts();
  for (const [kind, sql] of Object.entries(SUBJECTS) as [Kind, string][])
    for (const row of read<{ document_id: number; name: string | null }>(sql))
      if (row.name) factsOf(row).names[kind].push(row.name);
  for (const { document_id, ...counts } of read<{ document_id: number } & Pick<Facts, 'results'>>(RESULTS))
    Object.assign(factsOf({ document_id }), counts);
  for (const row of read<{ document_id: number; name: string }>(FINDINGS)) factsOf(row).findings = row.name;
  for (const row of read<{ document_id: number; admission_date: string; discharge_date: string }>(STAYS))
    factsOf(row).stay = { from: row.admission_date, to: row.discharge_date };
  for (const { document_id, ...total } of read<{ document_id: number } & NonNullable<Facts['total']>>(TOTALS))
    factsOf({ document_id }).total = total;
  const documents = read<Omit<DocumentNaming, 'highlights'> & { id: number; summary_en: string | null }>(DOCUMENTS);
  return documents.map(({ id, summary_en, ...naming }) => [
    id,
    { ...naming, highlights: highlightsOf(naming.doc_type, summary_en, factsOf({ document_id: id })) },
  ]);
}

const emptyFacts = (): Facts => ({
  results: 0,
  in_range: 0,
  out_of_range: 0,
  doubtful: 0,
  stay: null,
  total: null,
  findings: null,
  names: { medicines: [], vaccines: [], diagnoses: [], studies: [], invoiced: [] },
});

function highlightsOf(type: DocumentType | null, summary: string | null, facts: Facts): Highlights {
  const { findings, names, ...rest } = facts;
  const kinds = (type && KINDS_OF_TYPE[type]) ?? OTHER_KINDS;
  const named = kinds.map((kind) => names[kind]).find((list) => list.length > 0) ?? [];
  const hasOther = type === 'invoice' || facts.results > 0;
  const described = named.length > 0 || hasOther ? [] : [examinationIn(summary) ?? firstSentence(findings)];
  const all = [...new Set([...named, ...described].flatMap((name) => name?.trim() || []))];
  return { ...rest, subjects: all.slice(0, MAX_SUBJECTS).map(shorten), more: Math.max(0, all.length - MAX_SUBJECTS) };
}

/** Returns the examination that a summary names, or the subject of a document of unknown type. */
const examinationIn = (summary: string | null): string | null =>
  /(?:Examination|Subject): (.{2,90}?)\.(?=\s|$)/u.exec(summary ?? '')?.[1] ?? null;

/** Returns the text up to the first period that ends a sentence, unlike those in "z.B." and "3.4 cm". */
function firstSentence(text: string | null): string | null {
  const [sentence = ''] = (text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\p{L}{3})\.(?=\s|$)/u);
  return sentence === '' ? null : sentence;
}

const shorten = (text: string): string =>
  text.length <= MAX_SUBJECT_LENGTH ? text : `${text.slice(0, MAX_SUBJECT_LENGTH).replace(/\s+\S*$/, '')}…`;

import { z } from 'zod';
import { DOCUMENT_TYPES, SECTION_TYPES, type DocumentType } from './document-type.ts';

/**
 * What language models answer: one schema for each task gives the JSON Schema that the model is held to, and checks the
 * answer. Every field is required and may be null, as the strict mode of OpenAI wants it. Texts are copied from
 * the page.
 */

const text = z.string().nullable();
const date = z.string().nullable().describe('YYYY-MM-DD');

export const classificationAnswer = z.object({
  doc_type: z.enum(DOCUMENT_TYPES),
  event_date: date,
  issued_date: date,
  doctor_name: text.describe('as printed, with title'),
  facility_name: text.describe('as printed'),
  specialty: text.describe('as printed'),
});
export type ClassificationAnswer = z.output<typeof classificationAnswer>;

/** The parts of a long document. */
export const sectionsAnswer = z.object({
  sections: z.array(z.object({ page_start: z.int(), page_end: z.int(), section_type: z.enum(SECTION_TYPES) })).max(100),
});
export type SectionsAnswer = z.output<typeof sectionsAnswer>;

const labRow = z.object({
  test_name: z.string(),
  value: z.string().describe('as printed, with comparator'),
  unit: text,
  reference_range: text.describe('as printed'),
  panel_name: text,
  sample_date: date,
});
const medicineRow = z.object({
  brand_name: text,
  active_ingredient: text,
  dosage: text.describe('strength, as printed'),
  form: text,
  frequency: text.describe('as printed, such as 1-0-1'),
  duration: text,
  quantity: text,
});
const vaccinationRow = z.object({
  vaccine_name: z.string(),
  manufacturer: text,
  lot_number: text,
  date_administered: date,
});
const diagnosisRow = z.object({ diagnosis: z.string(), icd10_code: text.describe('only if printed') });
const invoiceRow = z.object({
  description: z.string(),
  quantity: text,
  unit_price: text,
  amount: text.describe('as printed'),
  currency: text,
  tariff_code: text,
});

const rows = {
  lab_results: z.array(labRow),
  medications: z.array(medicineRow),
  vaccinations: z.array(vaccinationRow),
  diagnoses: z.array(diagnosisRow),
  invoice_items: z.array(invoiceRow),
};
export type AnswerRowKind = keyof typeof rows;
export type AnswerRows = { [K in AnswerRowKind]: z.output<(typeof rows)[K]> };

const { lab_results, medications, vaccinations, diagnoses, invoice_items } = rows;
const report = z.object({ diagnoses, medications });

/** The rows that documents of a type contain. */
export const ROW_ANSWERS = {
  lab_test: z.object({ lab_results }),
  prescription: z.object({ medications }),
  vaccination: z.object({ vaccinations }),
  invoice: z.object({ invoice_items, diagnoses }),
  discharge: z.object({ diagnoses, medications, lab_results }),
  specialist_report: z.object({ diagnoses, medications, lab_results }),
  surgical_report: report,
  imaging_report: z.object({ diagnoses }),
  medical_certificate: z.object({ diagnoses }),
  other: z.object({ diagnoses, medications, lab_results, vaccinations }),
} as const satisfies Record<DocumentType, z.ZodObject>;

/** The lines of a page, as a vision model reads them. */
export const pageAnswer = z.object({ lines: z.array(z.string().max(500)).max(400) });

/** The JSON Schema of an answer, as services take it. */
export function schemaOf(answer: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer) as Record<string, unknown>;
  return schema;
}

/** An answer, whole or what of it is valid; null if it is not even an object. `problems` are paths of what is wrong. */
export function readAnswer<S extends z.ZodObject>(
  answer: S,
  json: string,
): { value: Partial<z.output<S>>; problems: string[] } | null {
  const raw = parseObject(json);
  if (raw === null) return null;
  const whole = answer.safeParse(raw);
  if (whole.success) return { value: whole.data as Partial<z.output<S>>, problems: [] };
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(answer.shape) as [string, z.ZodType][]) {
    const parsed = field.safeParse(raw[name]);
    if (parsed.success) value[name] = parsed.data;
    else if (field instanceof z.ZodArray && Array.isArray(raw[name])) value[name] = validRows(field, raw[name]);
  }
  const problems = whole.error.issues.slice(0, 10).map(({ path }) => path.join('.'));
  return { value: value as Partial<z.output<S>>, problems };
}

const validRows = (list: z.ZodArray, entries: readonly unknown[]): unknown[] =>
  entries.flatMap((entry) => {
    const parsed = z.safeParse(list.element, entry);
    return parsed.success ? [parsed.data] : [];
  });

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const raw: unknown = JSON.parse(json);
    return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

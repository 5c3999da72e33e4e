import type { SectionType } from '../../../../src-shared/medical/document-type.ts';
import { readDiagnoses } from '../diagnoses/diagnoses.ts';
import type { Extraction, FoundLabResult, FoundSection } from '../extraction.ts';
import { fold } from '../fold.ts';
import { readLabResults } from '../labs/labs.ts';
import { pagesOf, type Layout } from '../layout/layout.ts';
import { readMedications } from '../medicines/medicines.ts';
import type { RowContext } from '../row-context.ts';
import { readVaccinations } from '../vaccinations/vaccinations.ts';

export type Rows = Pick<Extraction, 'lab_results' | 'medications' | 'vaccinations' | 'diagnoses'>;

/**
 * Sections in which rows of a kind mean something else: doses on a chart are not results, and a consent form lists
 * possible complications.
 */
const WITHOUT: Record<keyof Rows, ReadonlySet<SectionType>> = {
  lab_results: new Set<SectionType>(['consent_form', 'cover_page', 'medication_chart', 'invoice_page']),
  medications: new Set<SectionType>(['lab_results_page', 'consent_form', 'invoice_page']),
  vaccinations: new Set<SectionType>(['lab_results_page', 'consent_form', 'invoice_page']),
  diagnoses: new Set<SectionType>(['consent_form', 'invoice_page']),
};

/** Reads all rows of some pages. */
export function readRows(layout: Layout, ctx: RowContext): Rows {
  return {
    lab_results: readLabResults(layout, ctx),
    medications: readMedications(layout, ctx),
    vaccinations: readVaccinations(layout, ctx),
    diagnoses: readDiagnoses(layout, ctx),
  };
}

/**
 * Reads the rows of a long file section by section. Results are in page order, and rows that several sections repeat
 * are returned once.
 */
export function readSectionRows(layout: Layout, sections: readonly FoundSection[], ctx: RowContext): Rows {
  const parts = sections.map((section) => ({
    type: section.section_type,
    layout: pagesOf(layout, section.page_start, section.page_end),
  }));
  const collect = <R>(kind: keyof Rows, read: (part: Layout, ctx: RowContext) => R[]): R[] =>
    parts.filter(({ type }) => !WITHOUT[kind].has(type)).flatMap((part) => read(part.layout, ctx));
  return {
    lab_results: once(collect('lab_results', readLabResults), (row) => [
      row.test_name_original,
      row.value_text,
      row.unit,
      row.test_date,
    ]),
    medications: once(collect('medications', readMedications), (row) => [
      row.brand_name ?? row.active_ingredient_original,
      row.dosage,
      row.frequency,
    ]),
    vaccinations: once(collect('vaccinations', readVaccinations), (row) => [row.vaccine_name, row.date_administered]),
    diagnoses: once(collect('diagnoses', readDiagnoses), (row) => [row.diagnosis_code ?? row.diagnosis_original]),
  };
}

/**
 * Gives rows without a date the date of the document's event, which is known only after the rows have determined the
 * type.
 */
export function datedBy(rows: Rows, event: string | null): Rows {
  return {
    ...rows,
    lab_results: rows.lab_results.map((row) => dateLabResult(row, row.test_date ?? event)),
    medications: rows.medications.map((row) => ({ ...row, prescribed_date: row.prescribed_date ?? event })),
  };
}

const dateLabResult = (row: FoundLabResult, test_date: string | null): FoundLabResult => ({
  ...row,
  test_date,
  doubt: test_date === null ? [...row.doubt, 'date_missing'] : row.doubt,
});

/** Of equal rows, keeps the one with the highest confidence at the position of the first. */
function once<R extends { confidence: number }>(rows: readonly R[], keyOf: (row: R) => (string | null)[]): R[] {
  const unique = new Map<string, R>();
  for (const row of rows) {
    const key = keyOf(row)
      .map((part) => fold(part ?? ''))
      .join('|');
    const earlier = unique.get(key);
    if (!earlier || row.confidence > earlier.confidence) unique.set(key, row);
  }
  return [...unique.values()];
}

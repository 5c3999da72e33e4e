import type { DocumentType } from '../../../src-shared/medical/document-type.ts';
import type { Language, PageText } from '../../../src-shared/medical/page.ts';
import { findStrength } from '../../../src-shared/medical/dose.ts';
import type { Extraction, FoundLabResult, FoundSection, ReadDocument, ReaderContext } from './extraction.ts';
import { chooseDates, collectedOn, readDates, type Dates } from './fields/dates.ts';
import { findDates } from './fields/date-text.ts';
import { readDoctor } from './fields/doctor.ts';
import { findDoctors } from './fields/doctor-names.ts';
import { readFacility } from './fields/facility.ts';
import { findParties } from './fields/parties.ts';
import { readFindings, readFollowUp } from './fields/passages.ts';
import { readPatient } from './fields/patient.ts';
import { readSpecialty } from './fields/specialty.ts';
import { readInvoice } from './invoice/invoice.ts';
import { hasLabHeadings } from './labs/lab-columns.ts';
import type { DateRole } from './languages/date-labels.ts';
import { detectLanguage } from './languages/language.ts';
import { buildLayout, type Layout } from './layout/layout.ts';
import { reviewReasons } from './review.ts';
import type { RowContext } from './row-context.ts';
import { datedBy, readRows, readSectionRows } from './sections/section-rows.ts';
import { findSections } from './sections/sections.ts';
import { filenameStem, summarize } from './summary.ts';
import { isTitle, readDocumentType } from './types/document-type.ts';
import { certifies, describesStay, describesVisit } from './types/sentences.ts';
import { TYPE_RULES } from './types/type-rules.ts';

/** A segment of this many words is part of a sentence, not of a form. */
const MIN_SENTENCE_WORDS = 9;

/**
 * Reads a document: pages in, fields with place and confidence out. It is deterministic and uses no model, network or
 * clock.
 */
export const readDocument: ReadDocument = (pages, context) => {
  const parts = readParts(pages, context);
  const { layout, dates, invoice } = parts;
  const docType = readDocumentType(layout, signsOf(parts));
  const isInvoice = !TYPE_RULES[docType.value].ignoredRows.includes('invoice_items');
  const selected = chooseDates(dates, docType.value, context, {
    title: docType.place,
    results: parts.rows.lab_results.flatMap(({ test_date }) => test_date ?? []),
    items: docType.value === 'invoice' ? invoice.items.flatMap(({ place }) => place ?? []) : [],
  });
  const fields: Fields = {
    doc_type: docType,
    language: parts.detected && { value: parts.language, confidence: parts.detected.confidence, place: null },
    event_date: selected.event,
    issued_date: selected.issued,
    admission_date: selected.admission,
    discharge_date: selected.discharge,
    ...readNames(parts, docType.value),
    findings: readFindings(layout),
    ...followUp(layout, dates),
    ...rowsOfType(parts, docType.value, selected.event?.value ?? null, context.today),
    invoice_items: isInvoice ? invoice.items : [],
    invoice_total: isInvoice ? invoice.total : null,
    sections: withSummaries(parts.sections, pages, context),
  };
  return {
    ...fields,
    summary_en: summarize(fields),
    filename_stem: filenameStem(fields),
    review_reasons: reviewReasons(pages, fields, context, selected.reasons, isInvoice ? invoice.mismatch : null),
  };
};

type Fields = Omit<Extraction, 'summary_en' | 'filename_stem' | 'review_reasons'>;
type Parts = ReturnType<typeof readParts>;

/** The parts of a document that do not depend on its type. */
function readParts(pages: readonly PageText[], context: ReaderContext) {
  const text = pages.map((page) => page.text).join('\n');
  const layout = buildLayout(pages);
  const detected = detectLanguage(text);
  const language: Language = detected?.language ?? 'en';
  const dates = readDates(layout, language, text, context);
  const parties = findParties(layout);
  const patient = readPatient(layout, parties, dates, context);
  const knownSex = context.patient?.sex === 'O' ? null : context.patient?.sex;
  const ctx = rowContext(dates, language, context, patient.sex?.value ?? knownSex ?? null);
  const sections = findSections(layout);
  const rows = sections.length > 0 ? readSectionRows(layout, sections, ctx) : readRows(layout, ctx);
  return { layout, detected, language, dates, parties, patient, sections, rows, invoice: readInvoice(layout) };
}

const isComplete = (row: FoundLabResult): boolean =>
  row.value !== null && row.unit !== null && (row.reference_range_low !== null || row.reference_range_high !== null);

/** "R/ Augmentin", "S/ 1 misurino", "Rp. Ramipril". */
const PRESCRIBED = /^(?:r\/|rp\.|℞|s\/|d\.?\s?s\.|sig\.)\s?\S/iu;
/** The label of a field is beside or directly above its date. */
const MIN_FIELD_STRENGTH = 0.75;
const MIN_PROSE_WORDS = 6;
/** Whether a line is running text, not a dose, a doctor or a row of numbers. */
const isProse = ({ segments, words, text }: Layout['lines'][number]): boolean =>
  segments.length === 1 &&
  words.filter(({ text: word }) => /^\p{L}{2}/u.test(word)).length >= MIN_PROSE_WORDS &&
  words.filter(({ text: word }) => /^\p{Ll}/u.test(word)).length >= 2 &&
  findStrength(text) === null &&
  findDoctors(text).length === 0;

/** The content that determines the type of the document. */
function signsOf({ layout, dates, rows, invoice }: Parts): Parameters<typeof readDocumentType>[1] {
  const roles = new Set(dates.all.map((date) => date.role));
  const hasField = (role: DateRole): boolean =>
    dates.all.some((date) => date.role === role && date.strength >= MIN_FIELD_STRENGTH && !date.inProse);
  // "1 dose de 18 kg toutes les 6 heures si besoin" are directions.
  const isSentence = ({ words, text }: { words: readonly unknown[]; text: string }): boolean =>
    words.length >= MIN_SENTENCE_WORDS && !/^\d/.test(text);
  return {
    labRows: rows.lab_results.length,
    completeLabRows: rows.lab_results.filter(isComplete).length,
    medicines: rows.medications.length,
    vaccinations: rows.vaccinations.length,
    invoiceLines: invoice.items.length,
    hasTotal: invoice.total !== null,
    hasStay: (roles.has('admission') && roles.has('discharge')) || roles.has('stay'),
    hasStayFields: hasField('admission') && hasField('discharge'),
    hasIncapacity: roles.has('incapacity'),
    hasOperationField: hasField('operation'),
    hasSample: hasField('collected'),
    hasLabTable: layout.lines.some(hasLabHeadings),
    certifies: certifies(layout),
    describesStay: describesStay(layout),
    describesVisit: describesVisit(layout),
    diagnoses: rows.diagnoses.length,
    sentences: layout.lines.filter((line) => line.segments.some(isSentence)).length,
    proseLines: layout.lines.filter(isProse).length,
    hasFindings: readFindings(layout) !== null,
    hasVisit: roles.has('visit') || roles.has('examination'),
    prescribedLines: layout.lines.filter(({ text }) => PRESCRIBED.test(text)).length,
  };
}

const readNames = ({ layout, parties, patient }: Parts, type: DocumentType) => ({
  patient,
  doctor_name: readDoctor(layout, parties, type, patient.name?.value ?? null),
  facility_name: readFacility(layout, parties, type, isTitle, patient.name?.value ?? null),
  specialty_original: readSpecialty(layout, parties),
  insurance_company: labelled(parties, 'insurer'),
  insurance_policy: labelled(parties, 'policy'),
});

/** A vaccination with a date to come is planned. */
const wasGivenBy =
  (today: string) =>
  ({ date_administered: date }: { date_administered: string | null }): boolean =>
    date === null || date <= today;

/** The rows that documents of this type contain; rows without a date get the date of the event. */
function rowsOfType({ rows }: Parts, type: DocumentType, eventDate: string | null, today: string) {
  const { ignoredRows } = TYPE_RULES[type];
  const { diagnoses, lab_results, medications, vaccinations } = datedBy(rows, eventDate);
  return {
    diagnoses: TYPE_RULES[type].asksByDiagnosis ? diagnoses.filter((row) => row.diagnosis_code !== null) : diagnoses,
    lab_results: ignoredRows.includes('lab_results') ? [] : lab_results,
    medications: ignoredRows.includes('medications') ? [] : medications,
    vaccinations: ignoredRows.includes('vaccinations') ? [] : vaccinations.filter(wasGivenBy(today)),
  };
}

function rowContext(dates: Dates, language: Language, context: ReaderContext, sex: 'M' | 'F' | null): RowContext {
  return {
    language,
    sex,
    dates: (page) => ({ collected: collectedOn(dates, page), event: null }),
    parseDate(text) {
      const date = findDates(text, context.today)[0];
      if (!date) return null;
      return date.open && dates.order === 'mdy' ? (date.mdy ?? date.dmy) : (date.dmy ?? date.mdy);
    },
  };
}

function labelled(parties: ReturnType<typeof findParties>, role: 'insurer' | 'policy') {
  const pair = parties.find(
    (candidate) =>
      candidate.role === role &&
      candidate.hasColon &&
      candidate.text.length <= 80 &&
      (role === 'insurer' ? /\p{L}{3}/u.test(candidate.text) : /\d{3}/.test(candidate.text)),
  );
  return pair
    ? {
        value: pair.text.replace(/[,;]+$/, ''),
        confidence: 0.9 * pair.confidence,
        place: pair.place,
        label: pair.label,
      }
    : null;
}

function followUp(layout: Layout, dates: Dates): Pick<Extraction, 'follow_up_date' | 'follow_up_instructions'> {
  const date = dates.all.find((candidate) => candidate.role === 'follow_up');
  return {
    follow_up_date: date
      ? {
          value: date.date,
          confidence: date.confidence * 0.9,
          place: date.place,
          ...(date.label && { label: date.label }),
        }
      : null,
    follow_up_instructions: readFollowUp(layout),
  };
}

/** Adds a summary to each section. */
function withSummaries(sections: FoundSection[], pages: readonly PageText[], context: ReaderContext): FoundSection[] {
  return sections.map((section) => ({
    ...section,
    summary_en: readDocument(
      pages.filter(({ page }) => page >= section.page_start && page <= section.page_end).slice(0, 5),
      context,
    ).summary_en,
  }));
}

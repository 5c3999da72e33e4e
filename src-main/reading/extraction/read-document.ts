import type { Language, PageText } from '../../../src-shared/medical/page.ts';
import type { Extraction, FoundSection, ReadDocument, ReaderContext } from './extraction.ts';
import { chooseDates, collectedOn, readDates, type Dates } from './fields/dates.ts';
import { findDates } from './fields/date-text.ts';
import { readDoctor } from './fields/doctor.ts';
import { readFacility } from './fields/facility.ts';
import { findParties } from './fields/parties.ts';
import { readFindings, readFollowUp } from './fields/passages.ts';
import { readPatient } from './fields/patient.ts';
import { readSpecialty } from './fields/specialty.ts';
import { readInvoice } from './invoice/invoice.ts';
import { detectLanguage } from './languages/language.ts';
import { buildLayout, type Layout } from './layout/layout.ts';
import { reviewReasons } from './review.ts';
import type { RowContext } from './row-context.ts';
import { datedBy, readRows, readSectionRows } from './sections/section-rows.ts';
import { findSections } from './sections/sections.ts';
import { filenameStem, summarize } from './summary.ts';
import { isTitle, readDocumentType, describesStay } from './types/document-type.ts';
import { TYPE_RULES } from './types/type-rules.ts';

/** A segment of this many words is part of a sentence, not of a form. */
const MIN_SENTENCE_WORDS = 9;

/**
 * Reads a document: pages in, fields with places and confidences out. Deterministic, without model, network or clock.
 */
export const readDocument: ReadDocument = (pages, context) => {
  const text = pages.map((page) => page.text).join('\n');
  const layout = buildLayout(pages);
  const language = detectLanguage(text);
  const spoken: Language = language?.language ?? 'en';
  const dates = readDates(layout, spoken, text, context);
  const parties = findParties(layout);
  const patient = readPatient(layout, parties, dates.birth, context);
  const knownSex = patient.sex?.value ?? (context.patient?.sex === 'O' ? null : context.patient?.sex) ?? null;

  const ctx = rowContext(dates, spoken, context, knownSex);
  const sections = findSections(layout);
  const read = sections.length > 0 ? readSectionRows(layout, sections, ctx) : readRows(layout, ctx);
  const invoice = readInvoice(layout);
  const roles = new Set(dates.all.map((date) => date.role));
  const docType = readDocumentType(layout, {
    labRows: read.lab_results.length,
    medicines: read.medications.length,
    vaccinations: read.vaccinations.length,
    invoiceLines: invoice.items.length,
    hasTotal: invoice.total !== null,
    hasStay: (roles.has('admission') && roles.has('discharge')) || roles.has('stay'),
    hasIncapacity: roles.has('incapacity'),
    describesStay: describesStay(layout),
    diagnoses: read.diagnoses.length,
    sentences: layout.lines.filter((line) =>
      line.segments.some((segment) => segment.words.length >= MIN_SENTENCE_WORDS),
    ).length,
  });
  const type = docType.value;
  const chosen = chooseDates(dates, type, context, {
    title: docType.place,
    items: type === 'invoice' ? invoice.items.flatMap(({ place }) => place ?? []) : [],
  });
  const { ignoredRows } = TYPE_RULES[type];
  const isInvoice = !ignoredRows.includes('invoice_items');
  const found = datedBy(read, chosen.event?.value ?? null);
  const fields: Omit<Extraction, 'summary_en' | 'filename_stem' | 'review_reasons'> = {
    doc_type: docType,
    language: language ? { value: spoken, confidence: language.confidence, place: null } : null,
    event_date: chosen.event,
    issued_date: chosen.issued,
    admission_date: chosen.admission,
    discharge_date: chosen.discharge,
    patient,
    doctor_name: readDoctor(layout, parties, type, patient.name?.value ?? null),
    facility_name: readFacility(layout, parties, type, isTitle),
    specialty_original: readSpecialty(layout, parties),
    insurance_company: labelled(parties, 'insurer'),
    insurance_policy: labelled(parties, 'policy'),
    diagnoses: found.diagnoses,
    findings: readFindings(layout),
    ...followUp(layout, dates),
    lab_results: ignoredRows.includes('lab_results') ? [] : found.lab_results,
    medications: ignoredRows.includes('medications') ? [] : found.medications,
    vaccinations: ignoredRows.includes('vaccinations') ? [] : found.vaccinations,
    invoice_items: isInvoice ? invoice.items : [],
    invoice_total: isInvoice ? invoice.total : null,
    sections: withSummaries(sections, pages, context),
  };
  return {
    ...fields,
    summary_en: summarize(fields),
    filename_stem: filenameStem(fields),
    review_reasons: reviewReasons(pages, fields, context, chosen.reasons, isInvoice ? invoice.mismatch : null),
  };
};

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
      candidate.colon &&
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

/** Each section gets a sentence of its own. */
function withSummaries(sections: FoundSection[], pages: readonly PageText[], context: ReaderContext): FoundSection[] {
  return sections.map((section) => ({
    ...section,
    summary_en: readDocument(
      pages.filter(({ page }) => page >= section.page_start && page <= section.page_end).slice(0, 5),
      context,
    ).summary_en,
  }));
}

import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import type { DateRole } from '../languages/date-labels.ts';

/** Evidence for the type in the rows and sentences of a document. */
export interface TypeEvidence {
  labRows: number;
  /** Laboratory rows with a number, a unit and a range. */
  completeLabRows: number;
  medicines: number;
  vaccinations: number;
  invoiceLines: number;
  hasTotal: boolean;
  hasStay: boolean;
  /** Whether fields name the days of admission and discharge. */
  hasStayFields: boolean;
  hasIncapacity: boolean;
  /** Whether a field names the day of an operation. */
  hasOperationField: boolean;
  /** Whether a field names the day on which a sample was taken. */
  hasSample: boolean;
  /** Whether a line has the headings of a table of results. */
  hasLabTable: boolean;
  diagnoses: number;
  sentences: number;
  /** Lines of running text without doses, also narrow ones. */
  proseLines: number;
  /** Whether a passage reports findings. */
  hasFindings: boolean;
  /** Whether a date is that of a visit or an examination. */
  hasVisit: boolean;
  /** Lines that begin with the sign of a prescription or of its directions: "R/", "S/", "Rp.". */
  prescribedLines: number;
  /** Whether a sentence names the first and last day of a hospital stay. */
  describesStay: boolean;
  /** Whether a sentence certifies something: "Si certifica che …". */
  certifies: boolean;
  /** Whether a sentence says that the writer examined the patient. */
  describesVisit: boolean;
}

/** Kinds of rows that only some types of documents contain. */
type RowKind = 'lab_results' | 'medications' | 'vaccinations' | 'invoice_items';

/**
 * All rules that depend on the type of a document. To add a type, add a record here and its words in `type-titles.tsv`.
 */
export interface TypeRules {
  /** Name of the type in an English summary. */
  summaryName: string;
  /** Date roles that determine the event of the document, best first. */
  eventDates: readonly DateRole[];
  /** Date roles that determine when the document was issued, best first. */
  issueDates: readonly DateRole[];
  /** Role of a date in the title: in "MRT Knie vom 14. April" it is the day of the examination. */
  titleDate: DateRole | null;
  /**
   * How the doctor is selected: laboratory reports name the doctor who ordered, operation reports the surgeon, letters
   * the doctor who signs.
   */
  doctor: 'lab' | 'surgery' | 'letter';
  /**
   * What a doctor of the family is in it: the one who provided the service, or who ordered it. A letter is addressed to
   * them, and they did not write it.
   */
  familyDoctor: 'provider' | 'orderer' | 'addressee';
  /** Whether a diagnosis without a code is the question of whoever ordered the examination. */
  asksByDiagnosis: boolean;
  /** Rows to ignore, because what looks like them means something else in this type. */
  ignoredRows: readonly RowKind[];
  /** Points for the type in addition to those for its words. */
  score: (evidence: TypeEvidence) => number;
}

/** Letters have at least this many sentences; prescriptions and invoices don't. */
const MANY_SENTENCES = 5;
/** A letter without a title that reports a visit. */
const VISIT_SCORE = 1.4;
const LETTER_DATES = ['letter', 'reported', 'printed'] as const;

export const TYPE_RULES: Record<DocumentType, TypeRules> = {
  lab_test: {
    summaryName: 'Laboratory report',
    eventDates: ['collected', 'received', 'examination', 'visit', 'reported', 'letter', 'printed'],
    issueDates: ['reported', 'letter', 'printed'],
    titleDate: null,
    doctor: 'lab',
    familyDoctor: 'orderer',
    asksByDiagnosis: true,
    ignoredRows: ['medications', 'vaccinations', 'invoice_items'],
    // A table of results outweighs a general title, such as "Befundbericht"; in a letter about a visit it is a part.
    score: ({ labRows, completeLabRows, sentences, describesVisit: saysSo, hasSample, hasLabTable, ...others }) => {
      const { diagnoses, medicines } = others;
      // Beside diagnoses and medicines, results are a part of a report.
      const describesVisit = saysSo || (diagnoses > 0 && medicines > 1);
      return (
        (labRows >= 3 ? Math.min(3, 1 + labRows / 5) * (describesVisit ? 0.5 : 1) : 0) +
        (labRows >= 1 && hasSample ? 1 : 0) +
        (hasLabTable && sentences < MANY_SENTENCES && !describesVisit ? 1.5 : 0) +
        (completeLabRows >= 5 && sentences < MANY_SENTENCES && !(describesVisit && diagnoses > 0) ? 4 : 0)
      );
    },
  },
  prescription: {
    summaryName: 'Prescription',
    eventDates: ['prescription', 'letter', 'visit', 'reported', 'printed'],
    issueDates: ['prescription', 'reported', 'letter', 'printed'],
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'provider',
    asksByDiagnosis: false,
    ignoredRows: ['lab_results', 'invoice_items'],
    score: ({ medicines, sentences, labRows, diagnoses, hasFindings, hasVisit, prescribedLines }) =>
      (medicines >= 1 ? 1 : 0) +
      (medicines >= 1 && prescribedLines >= 2 ? 2 : 0) -
      (diagnoses >= 1 && (hasFindings || hasVisit) ? 1 : 0) +
      (medicines >= 2 && sentences < medicines && labRows === 0 ? 1 : 0) -
      (sentences >= MANY_SENTENCES ? 1 : 0),
  },
  vaccination: {
    summaryName: 'Vaccination record',
    eventDates: ['vaccination', 'received', 'letter', 'certificate', 'printed'],
    issueDates: ['certificate', 'reported', 'letter', 'printed', 'invoice'],
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'provider',
    asksByDiagnosis: false,
    ignoredRows: ['lab_results', 'medications', 'invoice_items'],
    score: ({ vaccinations }) => (vaccinations >= 2 ? 2 : 0),
  },
  invoice: {
    summaryName: 'Invoice',
    eventDates: ['treatment', 'visit', 'examination', 'stay', 'admission', 'invoice', 'letter', 'printed'],
    issueDates: ['invoice', 'reported', 'certificate', 'letter', 'printed'],
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'provider',
    asksByDiagnosis: false,
    ignoredRows: ['lab_results', 'medications', 'vaccinations'],
    score: ({ invoiceLines, hasTotal }) => {
      if (!hasTotal) return 0;
      return invoiceLines >= 2 ? 2.5 : 1;
    },
  },
  discharge: {
    summaryName: 'Discharge report',
    eventDates: ['admission', 'stay', 'discharge', 'treatment', 'visit', 'letter', 'reported'],
    issueDates: LETTER_DATES,
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'addressee',
    asksByDiagnosis: false,
    ignoredRows: ['invoice_items'],
    score: ({ hasStay, hasStayFields, describesStay }) =>
      (hasStay ? 2 : 0) + (hasStayFields ? 1.5 : 0) + (describesStay ? 4 : 0),
  },
  surgical_report: {
    summaryName: 'Operation report',
    eventDates: ['operation', 'examination', 'treatment', 'admission', 'visit', 'letter', 'reported'],
    issueDates: LETTER_DATES,
    titleDate: 'operation',
    doctor: 'surgery',
    familyDoctor: 'addressee',
    asksByDiagnosis: false,
    ignoredRows: ['invoice_items'],
    // A letter names the day of an operation as well, but not in a field of its form.
    score: ({ hasOperationField, hasStayFields }) => (hasOperationField && !hasStayFields ? 2 : 0),
  },
  imaging_report: {
    summaryName: 'Imaging report',
    eventDates: ['examination', 'visit', 'treatment', 'collected', 'letter', 'reported', 'printed'],
    issueDates: LETTER_DATES,
    titleDate: 'examination',
    doctor: 'letter',
    familyDoctor: 'addressee',
    asksByDiagnosis: true,
    ignoredRows: ['invoice_items'],
    score: () => 0,
  },
  medical_certificate: {
    summaryName: 'Medical certificate',
    eventDates: ['examination', 'visit', 'incapacity', 'certificate', 'letter', 'printed'],
    issueDates: ['certificate', 'letter', 'printed'],
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'provider',
    asksByDiagnosis: false,
    ignoredRows: ['invoice_items'],
    score: ({ hasIncapacity, certifies, vaccinations, labRows }) =>
      (hasIncapacity ? 2.5 : 0) + (certifies && vaccinations === 0 && labRows === 0 ? 1.5 : 0),
  },
  specialist_report: {
    summaryName: 'Specialist report',
    eventDates: [
      'visit',
      'examination',
      'treatment',
      'admission',
      'stay',
      'operation',
      'collected',
      'received',
      'letter',
      'reported',
      'printed',
    ],
    issueDates: LETTER_DATES,
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'addressee',
    asksByDiagnosis: false,
    ignoredRows: ['invoice_items'],
    score: ({
      diagnoses,
      sentences,
      describesVisit,
      describesStay,
      hasStayFields,
      proseLines,
      hasFindings,
      hasVisit,
    }) => {
      if (describesStay || hasStayFields) return 0;
      // A short report without a title has a diagnosis, some running text, and findings or the day of the visit.
      if (diagnoses >= 1 && proseLines >= 2 && (hasFindings || hasVisit))
        return VISIT_SCORE + (describesVisit ? 1 : 0.1);
      const visit = describesVisit ? VISIT_SCORE : 0;
      if (diagnoses < 1 || sentences < 2) return visit;
      return visit + (sentences < MANY_SENTENCES ? 0.8 : 1.5);
    },
  },
  other: {
    summaryName: 'Document',
    eventDates: [
      'letter',
      'referral',
      'visit',
      'examination',
      'treatment',
      'collected',
      'received',
      'reported',
      'invoice',
      'certificate',
      'printed',
    ],
    issueDates: ['letter', 'referral', 'reported', 'printed', 'invoice', 'certificate'],
    titleDate: null,
    doctor: 'letter',
    familyDoctor: 'addressee',
    asksByDiagnosis: false,
    ignoredRows: ['invoice_items'],
    score: () => 0,
  },
};

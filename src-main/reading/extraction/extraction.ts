import type { LabDoubt } from '../../../src-shared/contract/lab-doubt.ts';
import type { ReviewCode } from '../../../src-shared/contract/review-reasons.ts';
import type { Comparator } from '../../../src-shared/contract/wire.ts';
import type { BBox, Language, PageText } from '../../../src-shared/medical/page.ts';
import type { DocumentType, SectionType } from '../../../src-shared/medical/document-type.ts';

/** Position of a value: page (1-based) and box in fractions of the corrected page. */
export interface Place {
  page: number;
  bbox: BBox;
}

/**
 * A value with its place and confidence (0–1). `label` is the printed word that determined its role ("Collected",
 * "Zuweiser").
 */
export interface Found<T> {
  value: T;
  confidence: number;
  place: Place | null;
  label?: string;
}

/** A row of a repeated kind. Fields have their API names, because rows are stored in their table unchanged. */
export interface FoundRow {
  confidence: number;
  place: Place | null;
}

export interface FoundLabResult extends FoundRow {
  test_name_original: string;
  /** Number without its comparator; null when the result is words ("negative"). */
  value: number | null;
  /** As printed, with comparator: "< 0.3", "negative". */
  value_text: string;
  unit: string | null;
  reference_range_low: number | null;
  reference_range_high: number | null;
  is_abnormal: boolean;
  sample_type: string | null;
  panel_name: string | null;
  test_date: string | null;
  /** The printed sign of a range with one bound. */
  reference_range_comparator: Comparator | null;
  /** Signs that the row was read wrongly. */
  doubt: LabDoubt[];
  /** The printed value as a second look at its number read it, if it differs. */
  second_reading?: string;
}

export interface FoundMedication extends FoundRow {
  brand_name: string | null;
  active_ingredient_original: string | null;
  /** Strength: "500 mg". */
  dosage: string | null;
  form: string | null;
  /** "1-0-1-0" or the printed words. */
  frequency: string | null;
  duration: string | null;
  quantity: string | null;
  prescribed_date: string | null;
}

export interface FoundVaccination extends FoundRow {
  vaccine_name: string;
  manufacturer: string | null;
  lot_number: string | null;
  dose_number: number | null;
  date_administered: string | null;
}

export interface FoundDiagnosis extends FoundRow {
  diagnosis_original: string;
  /** ICD-10 code as printed on the page, never guessed. */
  diagnosis_code: string | null;
}

export interface FoundInvoiceItem extends FoundRow {
  description: string;
  quantity: number | null;
  unit_price: number | null;
  amount: number | null;
  currency: string | null;
  tariff_code: string | null;
  tax_rate: number | null;
  category: string | null;
}

export interface FoundSection {
  /** 0-based order. */
  section_index: number;
  page_start: number;
  page_end: number;
  section_type: SectionType;
  summary_en: string | null;
}

/**
 * Why a person should check the document. `params` are the values for the message of the code; they may contain names
 * and are never logged.
 */
export interface ReviewReason {
  code: ReviewCode;
  field?: string;
  params?: Record<string, string | number>;
}

/** What is known before reading: the patient of the document and the household members. */
export interface ReaderContext {
  patient: KnownPatient | null;
  household: KnownPatient[];
  /** Whether the vault keeps the records of one person only. */
  isOnlyPatient: boolean;
  /** Today's civil date (YYYY-MM-DD), to recognize dates in the future. */
  today: string;
  original_filename: string;
}

export interface KnownPatient {
  id: number;
  display_name: string;
  date_of_birth: string | null;
  sex: 'M' | 'F' | 'O' | null;
}

export interface FoundPatient {
  /** Given name first, without titles, in the capitalization of a name ("Elena Keller"). */
  name: Found<string> | null;
  /** Whether the name is from a text layer, whose letters are not misread. */
  is_exact?: boolean;
  /** What a field for the patient's name shows if no whole name was found: "Osei", "E. Keller". */
  name_part?: string;
  date_of_birth: Found<string> | null;
  sex: Found<'M' | 'F'> | null;
  /** What the header of an image says of its patient; a page only mentions such things. */
  header?: { sex: 'M' | 'F' | null; age: { years: number; on: string } | null };
  /** Household member named on the page, if any. */
  match: { id: number; confidence: number } | null;
  /** Other persons to whom whole pages belong, as when papers of two people were scanned together. */
  others?: Found<string>[];
}

/** Everything that was read from one document, as plain data. Dates are civil dates YYYY-MM-DD. */
export interface Extraction {
  doc_type: Found<DocumentType>;
  language: Found<Language> | null;
  event_date: Found<string> | null;
  issued_date: Found<string> | null;
  admission_date: Found<string> | null;
  discharge_date: Found<string> | null;
  patient: FoundPatient;
  /** With title, as printed: "PD Dr. med. Jana Weidmann". */
  doctor_name: Found<string> | null;
  facility_name: Found<string> | null;
  specialty_original: Found<string> | null;
  insurance_company: Found<string> | null;
  insurance_policy: Found<string> | null;
  diagnoses: FoundDiagnosis[];
  findings: Found<string> | null;
  follow_up_date: Found<string> | null;
  follow_up_instructions: Found<string> | null;
  lab_results: FoundLabResult[];
  medications: FoundMedication[];
  vaccinations: FoundVaccination[];
  invoice_items: FoundInvoiceItem[];
  invoice_total: Found<{ amount: number; currency: string | null }> | null;
  /** Only for files of more than five pages. */
  sections: FoundSection[];
  /** One to three English sentences. */
  summary_en: string;
  /**
   * Stem of the file name, without date and extension: "lab-test_synlabor-mittelland". Lower case ASCII, at most 60
   * characters.
   */
  filename_stem: string;
  review_reasons: ReviewReason[];
}

/** The rule-based reader: pages in, fields out; pure and synchronous. */
export type ReadDocument = (pages: readonly PageText[], context: ReaderContext) => Extraction;

import type { BBox } from '../../../../src-shared/medical/page.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';

/** Where a fact of a record was read. A result whose document was deleted has none. */
export interface Place {
  documentId: number;
  /** 1-based; null for what was entered by a user or follows from the whole document. */
  page: number | null;
  bbox: BBox | null;
  /** The value as addresses of a document name it: `lab:12`, `field:event_date`. */
  value: string | null;
}

interface Fact {
  /** Civil date; null if the record does not tell. */
  date: string | null;
  place: Place | null;
}

export interface ResultFact extends Fact {
  /** The canonical code, or the folded printed name: results with one key are of one test. */
  testKey: string;
  printedName: string;
  /** The number; null for a result in words. */
  value: number | null;
  /** As printed: `8,90`, `<0.3`, `negative`. */
  text: string;
  unit: string | null;
  low: number | null;
  high: number | null;
  outside: 'high' | 'low' | 'abnormal' | null;
  /** It may have been read wrongly, so it is never counted as out of range. */
  isDoubtful: boolean;
}
export interface MedicineFact extends Fact {
  entryKey: string;
  name: string;
  /** The canonical name, if it is another one. */
  substance: string | null;
  atc: string | null;
  dosage: string | null;
  form: string | null;
  frequency: string | null;
  duration: string | null;
}
export interface DiagnosisFact extends Fact {
  entryKey: string;
  name: string;
  canonical: string | null;
  code: string | null;
  doctor: string | null;
}
export interface VaccinationFact extends Fact {
  name: string;
  lot: string | null;
  /** The printed line, which often names the diseases. */
  line: string;
}
export interface EpisodeFact extends Fact {
  id: number;
  title: string;
  type: string;
  end: string | null;
  isOngoing: boolean;
  diagnosis: string | null;
  documentIds: number[];
}
export interface DocumentFact extends Fact {
  id: number;
  filename: string;
  title: string | null;
  type: DocumentType | null;
  doctor: string | null;
  facility: string | null;
  specialty: string | null;
  /** Event, tags, diagnoses and examination, which people look documents up by. */
  words: string;
  pages: number;
}
/** A stay in a hospital. */
export interface StayFact extends Fact {
  to: string | null;
  facility: string | null;
  diagnosis: string | null;
}
export interface AppointmentFact extends Fact {
  doctor: string | null;
  facility: string | null;
  specialty: string | null;
  instructions: string | null;
  isDone: boolean;
}
export interface CostFact extends Fact {
  description: string;
  amount: number;
  currency: string;
  facility: string | null;
}

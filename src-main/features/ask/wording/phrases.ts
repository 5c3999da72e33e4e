import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';

/** The sentences of answers in one language. Dates and values arrive worded. */
export interface Phrases {
  locale: string;
  decimal: ',' | '.';
  types: Record<DocumentType | 'unknown', string>;
  flags: Record<'high' | 'low' | 'abnormal', string>;
  uncertain: string;
  undated: string;
  range(text: string): string;
  /** After a value that is not outside of its range. */
  inRange(text: string): string;
  /** The record has no papers. */
  nothingYet(): string;
  notInRecord(searched: readonly string[], documents: number): string;
  otherPerson(name: string): string;
  noResult(test: string, period: string): string;
  lastResult(test: string, value: string, date: string): string;
  firstResult(test: string, value: string, date: string): string;
  extreme(pick: 'highest' | 'lowest', test: string, value: string, date: string, total: number): string;
  series(test: string, total: number): string;
  countResults(test: string, total: number): string;
  outside(test: string, count: number, total: number): string;
  allInside(test: string, total: number): string;
  outsideOfAll(): string;
  nothingOutside(): string;
  uncertainResults(count: number): string;
  earlier(count: number): string;
  medicinesAt(period: string | null): string;
  noMedicineAt(period: string | null): string;
  olderMedicines(): string;
  medicines(count: number): string;
  until(date: string): string;
  diagnoses(count: number): string;
  diagnosesBeside(medicine: string, isTreated: boolean): string;
  diagnosis(name: string, first: string, last: string | null): string;
  vaccinations(count: number): string;
  stays(count: number): string;
  stay(from: string, to: string | null): string;
  appointments(): string;
  overdue(): string;
  costs(): string;
  total(amount: string): string;
  documents(count: number): string;
  moreDocuments(count: number): string;
  doctors(): string;
  changes(since: string): string;
  nothingChanged(since: string): string;
  sections: Record<'documents' | 'results' | 'medicines' | 'diagnoses' | 'vaccinations', string>;
  leftOut(count: number): string;
  before(value: string): string;
  isNew: string;
  passages(count: number): string;
  near(): string;
  alike(): string;
  period(from: string | null, to: string | null): string;
}

import { DOCUMENT_TYPE_NAMES } from '../../../../src-shared/contract/document-type-names.ts';
import type { Phrases } from './phrases.ts';

const some = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const en: Phrases = {
  locale: 'en-GB',
  decimal: '.',
  types: {
    ...DOCUMENT_TYPE_NAMES.en,
    specialist_report: 'Report',
    lab_test: 'Lab report',
    unknown: 'Document',
  },
  flags: { high: 'high', low: 'low', abnormal: 'out of range' },
  uncertain: 'uncertain reading, compare it with the page',
  undated: 'without a date',
  range: (text) => `range ${text}`,
  inRange: (text) => `within its range, ${text}`,
  nothingYet: () =>
    'This record has no papers yet. Add documents or put them into the inbox folder, and ask again when they have ' +
    'been read.',
  notInRecord: (searched, documents) =>
    `This is not in the record. ${some(documents, 'document was', 'documents were')} searched` +
    `${searched.length > 0 ? ` for ${searched.join(', ')}` : ''}. That does not mean it never happened.`,
  otherPerson: (name) =>
    `This question names ${name}. Answers come from the record of one person only; choose ${name} to ask about them.`,
  noResult: (test, period) => `This is not in the record: no result of ${test}${period}.`,
  lastResult: (test, value, date) => `${test}: ${value} on ${date}`,
  firstResult: (test, value, date) => `First ${test}: ${value} on ${date}`,
  extreme: (pick, test, value, date, total) =>
    `${pick === 'highest' ? 'Highest' : 'Lowest'} ${test} of ${some(total, 'result', 'results')}: ${value} on ${date}`,
  series: (test, total) => `${test}, ${some(total, 'result', 'results')}:`,
  countResults: (test, total) => `${test} was measured ${total === 1 ? 'once' : `${total} times`}:`,
  outside: (test, count, total) => `${test} was out of range in ${count} of ${some(total, 'result', 'results')}:`,
  allInside: (test, total) => `${test} was never out of range in ${some(total, 'result', 'results')}.`,
  outsideOfAll: () => 'Out of range:',
  nothingOutside: () => 'No result is out of range.',
  uncertainResults: (count) => `${some(count, 'uncertain result is', 'uncertain results are')} not counted:`,
  earlier: (count) => `and ${some(count, 'earlier result', 'earlier results')}`,
  medicinesAt: (period) => `Medicines ${period === null ? 'now' : period}, as the papers name them:`,
  noMedicineAt: (period) => `No paper names a medicine ${period === null ? 'for now' : period}.`,
  olderMedicines: () => 'Named long ago, without an end:',
  medicines: (count) => `Named in ${some(count, 'entry', 'entries')}:`,
  until: (date) => `until ${date}`,
  diagnoses: (count) => (count === 1 ? 'In the record:' : `${count} diagnoses in the record:`),
  diagnosesBeside: (medicine, isTreated) =>
    `The papers that name ${medicine} have ` +
    (isTreated
      ? 'this diagnosis, which it may be for:'
      : 'these diagnoses; which of them it is for, Hearth can’t tell:'),
  diagnosis: (name, first, last) => `${name}: first named on ${first}${last === null ? '' : `, last on ${last}`}`,
  vaccinations: (count) => `${some(count, 'vaccination', 'vaccinations')}:`,
  stays: (count) => `${some(count, 'stay', 'stays')} in hospital:`,
  stay: (from, to) => (to === null ? `from ${from}` : `from ${from} to ${to}`),
  appointments: () => 'Next appointments:',
  overdue: () => 'Overdue, not marked as done:',
  costs: () => 'From the invoices:',
  total: (amount) => `Together ${amount}`,
  documents: (count) => `${some(count, 'document', 'documents')}:`,
  moreDocuments: (count) => `and ${count} more`,
  doctors: () => 'Named in the papers:',
  changes: (since) => `New ${since}:`,
  nothingChanged: (since) => `Nothing new is in the record ${since}.`,
  sections: {
    documents: 'Documents',
    results: 'Results',
    medicines: 'Medicines',
    diagnoses: 'Diagnoses',
    vaccinations: 'Vaccinations',
  },
  leftOut: (count) =>
    `${some(count, 'sentence of the model was', 'sentences of the model were')} left out, because the record does not support it.`,
  before: (value) => `before ${value}`,
  isNew: 'new',
  passages: (count) =>
    count === 1 ? 'A passage of the record fits:' : `${count} passages of the record fit, best first:`,
  near: () => 'These passages have only a part of the question:',
  alike: () => 'These passages may be about it in other words:',
  period: (from, to) => {
    if (from !== null && from === to) return `on ${from}`;
    if (from === null) return `until ${to}`;
    return to === null ? `since ${from}` : `from ${from} to ${to}`;
  },
};

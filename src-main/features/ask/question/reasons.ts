import { foldName } from '../../../../src-shared/medical/name-fold.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import { isEmpty } from '../tools/findings.ts';
import { findDiagnosesBeside } from '../tools/history.ts';
import type { Asked, Route } from './asked.ts';
import { vocabulary, type Cue } from './vocabulary.ts';

/** "What is it for?" asks why, with words that say nothing apart from each other. */
const WHAT_FOR = /^\W*what\b.*\bfor\W*$/iu;
/** Words that may be beside the medicine; others ask for something else, such as when it was stopped. */
const BESIDE: readonly Cue[] = ['why', 'medicines', 'past', 'still', 'last', 'first', 'ill'];

/** "Why do I take it?": the diagnoses of the papers that name a medicine of the record. */
export const reasons: Route = (asked) => {
  const { record, question, subjects } = asked;
  const isAsked = question.has('why') || WHAT_FOR.test(question.text);
  if (!isAsked || subjects.medicines.length === 0 || subjects.tests.length > 0 || hasOther(asked)) return null;
  const facts = record.medicines().filter(({ entryKey }) => subjects.medicines.includes(entryKey));
  const found = findDiagnosesBeside(record, facts, isTreatedBy(record, subjects.medicines));
  return isEmpty(found) ? null : found;
};

/** Whether the question has words besides the medicine and the usual ones. */
const hasOther = ({ terms, subjects }: Asked): boolean =>
  terms(...BESIDE).some(
    ({ typed }) =>
      !foldName(typed)
        .split(' ')
        .every((word) => subjects.used.has(word)),
  );

/** Whether one of the medicines is of a group that is given for a diagnosis. */
function isTreatedBy(record: PatientRecord, keys: readonly string[]): (icd10: string | null) => boolean {
  const codes = record
    .medicines()
    .flatMap(({ entryKey, atc }) => (atc !== null && keys.includes(entryKey) ? [atc] : []));
  const treated = vocabulary()
    .medicineClasses.filter(({ atc }) => atc.some((group) => codes.some((code) => code.startsWith(group))))
    .flatMap(({ treats }) => treats);
  return (icd10) => icd10 !== null && treated.some((beginning) => icd10.startsWith(beginning));
}

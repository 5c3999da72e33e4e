import type { Pick, Shape } from '../../../../src-shared/contract/chat-tools.ts';
import { findPassages } from '../retrieval.ts';
import { isEmpty, type Finding } from '../tools/findings.ts';
import { findDiagnoses, findVaccinations } from '../tools/history.ts';
import { findMedicines, findMedicinesAt } from '../tools/medicines.ts';
import { findResults } from '../tools/results.ts';
import { tokensOf } from './terms.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Question } from './question.ts';
import type { Asked, Route } from './asked.ts';
import type { Subjects } from './subjects.ts';

function pickFor({ period, has }: Question): Pick {
  if (has('highest')) return 'highest';
  if (has('lowest')) return 'lowest';
  if (has('count')) return 'count';
  if (has('series')) return 'series';
  if (has('outside')) return 'outside';
  if (has('first')) return 'first';
  return period !== null && !has('last') ? 'series' : 'last';
}

function shapeFor({ has }: Question): Shape {
  if (has('count')) return 'count';
  if (has('first')) return 'first';
  return has('last') ? 'last' : 'list';
}

/** Values of tests; without a test, what is out of range or the last results. */
export const results: Route = ({ record, question, subjects }) => {
  const { has, period } = question;
  if (has('why')) return null;
  if (subjects.tests.length > 0) {
    const found = findResults(record, { tests: subjects.tests, period, pick: pickFor(question) });
    return found.kind === 'results' && has('state', 'normal') ? { ...found, asksRange: true } : found;
  }
  if (has('outside', 'state', 'normal') && has('results', 'value')) return outOfRange({ record, question });
  if (!has('results') || has('count', 'documents', 'type:lab_test')) return null;
  const date = period === null ? (record.results().findLast((fact) => fact.date !== null)?.date ?? null) : null;
  const found = findResults(record, { tests: null, period: period ?? { from: date, to: date }, pick: 'last' });
  return isEmpty(found) ? null : found;
};

/** Results out of range in a period, or at present: those of which the last one is. */
function outOfRange({ record, question: { period } }: { record: PatientRecord; question: Question }): Finding {
  if (period !== null) return findResults(record, { tests: null, period, pick: 'outside' });
  const last = findResults(record, { tests: null, period, pick: 'last' });
  if (last.kind !== 'results') return last;
  const tests = last.tests.filter(({ facts }) => facts.some(({ outside }) => outside !== null));
  return { ...last, pick: 'outside', tests };
}

/** "When was the last tetanus?", but not when somebody last had the flu. */
const isDateOfVaccination = ({ has }: Question, { diseases, diagnoses: illnesses }: Subjects): boolean =>
  diseases.length > 0 && illnesses.length === 0 && has('when') && has('last') && !has('ill');

export const vaccinations: Route = ({ record, question, subjects, terms }) => {
  const { has, period } = question;
  if (!has('vaccinations') && !isDateOfVaccination(question, subjects)) return null;
  const others = terms('last', 'first', 'count', 'when', 'listing', 'vaccinations', 'medicines', 'past');
  const isAboutOther = subjects.diseases.length === 0 && others.length > 0;
  return findVaccinations(record, {
    diseases: subjects.diseases.length > 0 ? subjects.diseases : null,
    names: isAboutOther ? others.map(({ typed }) => typed.toLowerCase()) : null,
    period,
    shape: shapeFor(question),
  });
};

const MAX_STOPPED = 3;

/** Medicines of now or of a period; their history if the question is about a change or about the past. */
export const medicines: Route = (asked) => {
  const { record, question, subjects } = asked;
  const { has, period } = question;
  // "When was blood taken?" takes nothing.
  const isTaken = has('medicines') && !has('type:lab_test');
  if (has('why') || !(subjects.namesMedicine || isTaken)) return null;
  if (subjects.namesMedicine && subjects.medicines.length === 0) return null;
  const keys = subjects.namesMedicine ? subjects.medicines : null;
  const history = (shape: Shape): Finding => findMedicines(record, { keys, period, shape });
  const about = keys === null ? medicinesOfSubject(asked) : null;
  if (about) return isEmpty(about) ? null : about;
  const stopped = keys !== null && has('stopped') ? whereStopped(asked) : null;
  if (stopped) return stopped;
  if (has('first')) return history('first');
  if (has('count')) return history('count');
  if (keys !== null && (has('series', 'when') || (has('past') && period === null))) return history('list');
  const found = findMedicinesAt(record, period ?? { from: record.today, to: record.today }, keys);
  if (keys === null || !isEmpty(found)) return found;
  return (has('still', 'last') ? whereNamedSince(record, keys) : null) ?? history('list');
};

/** "Do I still take it?": what a later paper says of a medicine that it does not list as taken; null if none names it. */
function whereNamedSince(record: PatientRecord, keys: readonly string[]): Finding | null {
  const facts = record.medicines().filter(({ entryKey }) => keys.includes(entryKey));
  const last = facts.findLast(({ date }) => date !== null)?.date;
  if (last == null) return null;
  const forms = [...new Set(facts.map(({ name }) => name))].map((text) => ({ text, isPrefix: true }));
  const found = findPassages(record, [{ typed: facts[0]!.name, forms }], {
    limit: MAX_STOPPED,
    among: ({ date }) => date !== null && date > last,
  });
  return found.passages.length > 0 ? { kind: 'passages', ...found } : null;
}

/** "When did I stop taking it?": where papers say that a medicine was stopped; null if none does. */
function whereStopped({ record, terms }: Asked): Finding | null {
  const wanted = terms('last', 'first', 'when', 'medicines', 'past', 'duration');
  const found = findPassages(record, wanted, { limit: MAX_STOPPED });
  return found.passages.length > 0 ? { kind: 'passages', ...found } : null;
}

/** "Which medicine for the fever?": medicines of the papers about the subject; null without a subject. */
function medicinesOfSubject({ record, question: { period }, terms }: Asked): Finding | null {
  const wanted = terms('last', 'first', 'count', 'when', 'listing', 'medicines', 'past', 'series');
  if (wanted.length === 0) return null;
  const { passages } = findPassages(record, wanted, { limit: Infinity });
  const about = new Set(passages.map(({ document }) => document.id));
  const found = findMedicines(record, { keys: null, period, shape: 'list' });
  if (found.kind !== 'medicines') return null;
  const facts = found.facts.filter(({ place }) => place !== null && about.has(place.documentId));
  return { ...found, facts };
}

const ALLERGY = ['allergy', 'allergie', 'allergia'];

/** Diagnoses with a name, or all. Complaints without a diagnosis are looked up in the texts. */
export const diagnoses: Route = ({ record, question, subjects, terms }) => {
  const { has, period } = question;
  if (has('why') || !(subjects.diagnoses.length > 0 || has('diagnoses', 'allergy'))) return null;
  const shape = shapeFor(question);
  if (subjects.diagnoses.length > 0) return findDiagnoses(record, { keys: subjects.diagnoses, period, shape });
  const others = terms('last', 'first', 'count', 'when', 'listing', 'diagnoses', 'past');
  const allergies = has('allergy') && others.length === 0 ? record.illnesses().findParts(ALLERGY) : [];
  if (allergies.length > 0) return findDiagnoses(record, { keys: allergies, period, shape });
  if (others.length === 0) return findDiagnoses(record, { keys: null, period, shape });
  const keys = others
    .map(({ typed, forms }) => [typed, ...forms.map(({ text }) => text)].flatMap(tokensOf))
    .map((words) => record.illnesses().findParts(words))
    .reduce((all, found) => all.filter((key) => found.includes(key)));
  return keys.length > 0 ? findDiagnoses(record, { keys, period, shape }) : null;
};

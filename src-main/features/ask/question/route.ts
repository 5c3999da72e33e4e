import { DOCUMENT_TYPES } from '../../../../src-shared/medical/document-type.ts';
import type { Synonyms } from '../../../reading/knowledge/synonyms.ts';
import type { DocumentFact } from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import { findPassages } from '../retrieval.ts';
import { isEmpty, type Finding } from '../tools/findings.ts';
import { findAppointments, findChanges, findCosts, findDocuments, findEpisodes, findStays } from '../tools/history.ts';
import type { Asked, Route } from './asked.ts';
import { isWithin } from './dates.ts';
import type { Question, Word } from './question.ts';
import { reasons } from './reasons.ts';
import { diagnoses, medicines, results, vaccinations } from './routes-of-values.ts';
import { findSubjects } from './subjects.ts';
import { hasAny, termsOf, type Term } from './terms.ts';
import { vocabulary, type Cue } from './vocabulary.ts';

const MAX_PASSAGES = 5;
const MAX_WORDS = 24;
const TYPE_CUES = DOCUMENT_TYPES.map((type): [string, Cue] => [type, `type:${type}`]);
/** Words of a question that say what is wanted, not about what. */
const ASKING: readonly Cue[] = [
  'why',
  'last',
  'first',
  'count',
  'when',
  'listing',
  'doctor',
  'documents',
  'duration',
  'change',
  'cost',
  'taking',
  'state',
];

/** Finds the tool that a question asks for, without a model, and what it finds; passages if no tool fits. */
export function answerByRules(record: PatientRecord, question: Question, synonymsOf: Synonyms['of']): Finding {
  const asked: Asked = {
    record,
    question,
    subjects: findSubjects(record, question),
    terms: (...without) => termsOf(withoutCues(uniqueWords(question.content), without), question.language, synonymsOf),
  };
  // Values and lists of this record would be taken for those of the relative.
  if (question.isOfRelative) return passages(asked);
  for (const route of ROUTES) {
    const finding = route(asked);
    if (finding) return finding;
  }
  return passages(asked);
}

/** Each word once; the first of very many. */
const uniqueWords = (words: readonly Word[]): Word[] =>
  [...new Map(words.map((word) => [word.folded, word])).values()].slice(0, MAX_WORDS);

/** Most words of a cue: "out of range". */
const MAX_CUE_WORDS = 3;

/** The words that are not one of the cues by themselves or with those beside them: "blood test". */
function withoutCues(words: readonly Word[], cues: readonly Cue[]): Word[] {
  const patterns = cues.map((cue) => vocabulary().cues.get(cue));
  let left = words;
  for (let count = 1; count <= MAX_CUE_WORDS; count += 1)
    for (let at = 0; at + count <= left.length;) {
      const phrase = ` ${left
        .slice(at, at + count)
        .map(({ folded }) => folded)
        .join(' ')} `;
      if (patterns.some((pattern) => pattern?.test(phrase))) left = left.toSpliced(at, count);
      else at += 1;
    }
  return [...left];
}

function passages(
  { record, question, terms }: Asked,
  among: (document: DocumentFact) => boolean = () => true,
): Finding {
  const wanted = terms(...ASKING);
  const asked = wanted.length > 0 ? wanted : terms();
  const findAmong = (isAsked: (document: DocumentFact) => boolean) =>
    findPassages(record, asked, { limit: MAX_PASSAGES, meant: record.meant, among: isAsked });
  // Papers of the period come first; others may tell of it as well.
  const { period } = question;
  const ofPeriod = period && findAmong((document) => among(document) && isWithin(document.date, period));
  return { kind: 'passages', ...(ofPeriod && ofPeriod.passages.length > 0 ? ofPeriod : findAmong(among)) };
}
const unlessEmpty = (finding: Finding): Finding | null => (isEmpty(finding) ? null : finding);

const changes: Route = ({ record, question: { period, has }, subjects }) => {
  const isAboutOne = subjects.tests.length > 0 || subjects.namesMedicine || subjects.diagnoses.length > 0;
  return period?.from && has('changes', 'change') && !isAboutOne ? findChanges(record, period.from, period.to) : null;
};

/** What services cost; or everything on invoices that are about the subject. */
const costs: Route = (asked) => {
  const { record, question, terms } = asked;
  const { period, has } = question;
  if (!has('cost') || has('why')) return null;
  const wanted = terms(...ASKING, 'type:invoice', 'stay');
  const byLine = findCosts(record, period, ({ description }) => wanted.length > 0 && hasAny(description, wanted));
  if (!isEmpty(byLine)) return byLine;
  const about = record
    .documents()
    .filter((document) => wanted.length === 0 || hasAny(`${document.words}\n${document.facility ?? ''}`, wanted))
    .map(({ id }) => id);
  const found = findCosts(record, period, ({ place }) => place !== null && about.includes(place.documentId));
  return isEmpty(found) ? passages(asked) : found;
};

const appointments: Route = ({ record, question: { has }, terms }) => {
  if (!has('appointment') && !(has('when') && has('again'))) return null;
  const wanted = terms(...ASKING, 'appointment', 'again');
  const named = findAppointments(record, (words) => wanted.length === 0 || hasAny(words, wanted));
  return unlessEmpty(named) ?? (has('again') ? appointmentsAbout(record, wanted) : null);
};

/** "When is the next thyroid check?": appointments in the papers about a subject, or with a doctor who wrote of it. */
function appointmentsAbout(record: PatientRecord, wanted: readonly Term[]): Finding | null {
  const about = findPassages(record, wanted, { limit: Infinity }).passages.map(({ document }) => document);
  const ids = new Set(about.map(({ id }) => id));
  const writers = new Set(about.map(({ doctor }) => doctor).filter((doctor) => doctor !== null));
  const found = findAppointments(
    record,
    (_words, { place, doctor }) =>
      (place !== null && ids.has(place.documentId)) || (doctor !== null && writers.has(doctor)),
  );
  return unlessEmpty(found);
}

const stays: Route = (asked) => {
  const { record, question } = asked;
  const { has, period } = question;
  if (!has('stay') || !has('when', 'duration', 'why', 'count', 'listing', 'last', 'first', 'past')) return null;
  const all = findStays(record, period, has('count') ? 'count' : 'list');
  const wanted = asked.terms(...ASKING, 'stay', 'why', 'past');
  if (isEmpty(all) || all.kind !== 'stays') return null;
  const about = new Set(findPassages(record, wanted, { limit: Infinity }).passages.map(({ document }) => document.id));
  const fitting = all.facts.filter(({ place }) => place !== null && about.has(place.documentId));
  return fitting.length > 0 ? { ...all, facts: fitting } : all;
};

const surgery: Route = (asked) => {
  const { record, question } = asked;
  const { has, period } = question;
  if (!has('surgery') || !has('when', 'doctor', 'count', 'listing')) return null;
  const wanted = asked.terms(...ASKING, 'surgery', 'past');
  const found = findDocuments(record, {
    types: ['surgical_report'],
    period,
    among: (document) => wanted.length === 0 || hasAny(textOf(document), wanted),
    shape: has('count') ? 'count' : 'list',
  });
  return unlessEmpty({ ...found, focus: has('doctor') ? 'doctor' : 'date' });
};

const textOf = ({ words, filename, title, specialty, facility, doctor }: DocumentFact): string =>
  [words, filename, title, specialty, facility, doctor].filter(Boolean).join('\n');

/** Who treats the person: the doctors of the papers about the subject. */
const doctors: Route = ({ record, question: { has, period }, terms }) => {
  if (!has('doctor')) return null;
  const wanted = terms(...ASKING, 'past');
  const about =
    wanted.length === 0
      ? null
      : new Set(findPassages(record, wanted, { limit: Infinity }).passages.map(({ document }) => document.id));
  const found = findDocuments(record, {
    types: [],
    period,
    among: ({ id, doctor }) => doctor !== null && (about === null || about.has(id)),
    shape: 'list',
  });
  const newest = [...Map.groupBy(found.facts, ({ doctor }) => doctor).values()].map((group) => group[0]!);
  return unlessEmpty({ ...found, facts: newest, total: newest.length, focus: 'doctor' });
};

const episodes: Route = ({ record, question: { has, period } }) =>
  has('episodes') ? unlessEmpty(findEpisodes(record, period)) : null;

const documents: Route = (asked) => {
  const { record, question } = asked;
  const { has, period } = question;
  const types = TYPE_CUES.filter(([, cue]) => has(cue)).map(([type]) => type);
  if (types.length === 0 && !has('documents')) return null;
  const typeCues = types.map((type): Cue => `type:${type}`);
  if (!has('when', 'count', 'listing')) return unlessEmpty(passagesOfTypes(asked, types));
  const wanted = asked.terms(...ASKING, ...typeCues, 'past');
  const shape = has('count') ? 'count' : 'list';
  const among = (document: DocumentFact): boolean => wanted.length === 0 || hasAny(textOf(document), wanted);
  const found = findDocuments(record, { types, period, among, shape });
  // "Mammogram" is a type and a subject: among the papers of the type, those that have the word come first. "Blood test"
  // is only a type, of which few papers have the words.
  const named = asked.terms(...ASKING, 'past');
  const isOnlyType = types.length === 1 && types[0] === 'lab_test' && wanted.length === 0;
  const exact = isOnlyType ? [] : found.facts.filter((document) => hasEvery(record, document, named));
  const facts = exact.length > 0 ? exact : found.facts;
  return unlessEmpty({
    ...found,
    facts: has('last') ? facts.slice(0, 1) : facts,
    total: facts.length,
    focus: has('when') ? 'date' : null,
  });
};

function hasEvery(record: PatientRecord, document: DocumentFact, terms: readonly Term[]): boolean {
  const text = `${textOf(document)}\n${record
    .pagesOf(document.id)
    .map(({ text: page }) => page)
    .join('\n')}`;
  return terms.every((term) => hasAny(text, [term]));
}

const passagesOfTypes = (asked: Asked, types: readonly string[]): Finding =>
  passages(asked, ({ type }) => types.length === 0 || (type !== null && types.includes(type)));

const ROUTES: readonly Route[] = [
  reasons,
  changes,
  costs,
  results,
  vaccinations,
  appointments,
  medicines,
  stays,
  surgery,
  doctors,
  diagnoses,
  episodes,
  documents,
];

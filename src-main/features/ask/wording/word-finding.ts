import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import type { DocumentFact } from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Passage } from '../retrieval.ts';
import { isEmpty, type Finding } from '../tools/findings.ts';
import { lastDayOf } from '../tools/medicines.ts';
import { wordChanges } from './word-changes.ts';
import { wordResults } from './word-results.ts';
import { createWriter, type Answer, type Writer } from './writer.ts';

type Of<Kind extends Finding['kind']> = Extract<Finding, { kind: Kind }>;
type Worded = Exclude<Finding['kind'], 'results' | 'changes' | 'other_person'>;

/** More documents are only counted. */
const MAX_DOCUMENTS = 20;
/** Words that an answer without a hit names. */
const MAX_SEARCHED = 8;

/** Words a finding in the language of the question, with the places it cites. */
export function wordFinding(record: PatientRecord, finding: Finding, language: CoreLanguage): Answer {
  const writer = createWriter(record, language);
  return writer.done(wordInto(writer, record, finding));
}

/** The lines of a finding; the writer collects what they cite. */
export function wordInto(writer: Writer, record: PatientRecord, finding: Finding): string[] {
  if (record.documents().length === 0 && isEmpty(finding)) return [writer.phrases.nothingYet()];
  if (finding.kind === 'results') return wordResults(writer, finding);
  if (finding.kind === 'changes') return wordChanges(writer, finding);
  if (finding.kind === 'other_person') return [writer.phrases.otherPerson(finding.name)];
  if (isEmpty(finding)) return [absent(record, writer, finding), ...nearTo(writer, finding)];
  const word = WORDS[finding.kind] as (writer: Writer, finding: Finding) => string[];
  return word(writer, finding);
}

function absent(record: PatientRecord, { phrases, period }: Writer, finding: Finding): string {
  if (finding.kind === 'medicines_now')
    return phrases.noMedicineAt(finding.at.to === record.today ? null : period(finding.at));
  const searched = finding.kind === 'passages' ? [...new Set(finding.searched)].slice(0, MAX_SEARCHED) : [];
  return phrases.notInRecord(searched, record.documents().length);
}

/** What comes near to a question that the record doesn't answer. */
function nearTo(writer: Writer, finding: Finding): string[] {
  if (finding.kind !== 'passages' || finding.near.length === 0) return [];
  const { alike, near } = writer.phrases;
  return [finding.isNearInMeaning ? alike() : near(), ...finding.near.map((passage) => passageLine(writer, passage))];
}

const passageLine = ({ date, document, cite }: Writer, passage: Passage): string =>
  `- ${date(passage.document.date)}, ${document(passage.document)}: “${passage.quote}”` +
  cite(passage.place, passage.quote);

const WORDS: { [Kind in Worded]: (writer: Writer, finding: Of<Kind>) => string[] } = {
  medicines_now: ({ phrases, period, ...writer }, { at, current, older }) => {
    const isNow = at.from === at.to;
    const line = (fact: (typeof current)[number]): string =>
      `- ${writer.medicine(fact)} – ${writer.date(fact.date)}${untilOf({ phrases, ...writer }, fact)}${writer.cite(fact.place)}`;
    return [
      ...(current.length > 0 ? [phrases.medicinesAt(isNow ? null : period(at)), ...current.map(line)] : []),
      ...(current.length === 0 ? [phrases.noMedicineAt(isNow ? null : period(at))] : []),
      ...(older.length > 0 ? [phrases.olderMedicines(), ...older.map(line)] : []),
    ];
  },
  medicines: ({ phrases, medicine, date, cite }, { facts }) => [
    phrases.medicines(facts.length),
    ...facts.map((fact) => `- ${date(fact.date)}: ${medicine(fact)}${cite(fact.place)}`),
  ],
  diagnoses: ({ phrases, date, cite }, { groups, beside }) => [
    beside ? phrases.diagnosesBeside(beside.medicine, beside.isTreated) : phrases.diagnoses(groups.length),
    ...groups.map(({ first, last }) => {
      const isOne = first === last;
      const name = `${first.name}${first.code ? ` (${first.code})` : ''}`;
      return (
        `- ${phrases.diagnosis(name, date(first.date), isOne ? null : date(last.date))}` +
        `${cite(first.place)}${isOne ? '' : cite(last.place)}`
      );
    }),
  ],
  vaccinations: ({ phrases, date, cite }, { facts }) => [
    phrases.vaccinations(facts.length),
    ...facts.map(
      (fact) => `- ${date(fact.date)}: ${fact.name}${fact.lot === null ? '' : ` (${fact.lot})`}${cite(fact.place)}`,
    ),
  ],
  stays: ({ phrases, date, cite }, { facts }) => [
    phrases.stays(facts.length),
    ...facts.map((fact) => {
      const about = [fact.facility, fact.diagnosis].filter(Boolean).join(': ');
      return `- ${phrases.stay(date(fact.date), fact.to && date(fact.to))}${about ? `, ${about}` : ''}${cite(fact.place)}`;
    }),
  ],
  episodes: ({ date, cite }, { facts }) =>
    facts.map(
      (fact) => `- ${date(fact.date)}${fact.end ? `–${date(fact.end)}` : ''}: ${fact.title}${cite(fact.place)}`,
    ),
  appointments: ({ phrases, date, cite }, { ahead, overdue }) => {
    const line = (fact: (typeof ahead)[number]): string =>
      `- ${[date(fact.date), fact.doctor, fact.facility].filter(Boolean).join(', ')}` +
      `${fact.instructions ? `: ${fact.instructions}` : ''}${cite(fact.place)}`;
    return [
      ...(ahead.length > 0 ? [phrases.appointments(), ...ahead.map(line)] : []),
      ...(overdue.length > 0 ? [phrases.overdue(), ...overdue.map(line)] : []),
    ];
  },
  costs: ({ phrases, date, money, cite }, { facts, totals }) => [
    phrases.costs(),
    ...facts.map(
      (fact) =>
        `- ${[fact.description, date(fact.date), fact.facility].filter(Boolean).join(', ')}: ` +
        `${money(fact.amount, fact.currency)}${cite(fact.place)}`,
    ),
    ...(facts.length > 1 ? totals.map(({ currency, amount }) => phrases.total(money(amount, currency))) : []),
  ],
  documents: (writer, { facts, total, focus }) => {
    const shown = facts.slice(0, MAX_DOCUMENTS);
    return [
      focus === 'doctor' ? writer.phrases.doctors() : writer.phrases.documents(total),
      ...shown.map((fact) => `- ${documentLine(writer, fact, focus)}`),
      ...(facts.length > shown.length ? [writer.phrases.moreDocuments(facts.length - shown.length)] : []),
    ];
  },
  passages: (writer, { passages }) => [
    writer.phrases.passages(passages.length),
    ...passages.map((passage) => passageLine(writer, passage)),
  ],
};

function untilOf({ phrases, date }: Pick<Writer, 'phrases' | 'date'>, fact: Parameters<typeof lastDayOf>[0]): string {
  const last = lastDayOf(fact);
  return last === null ? '' : `, ${phrases.until(date(last))}`;
}

function documentLine({ date, document, cite }: Writer, fact: DocumentFact, focus: Of<'documents'>['focus']): string {
  const parts =
    focus === 'doctor'
      ? [fact.doctor, fact.specialty, fact.facility, date(fact.date)]
      : [date(fact.date), document(fact), fact.doctor];
  return `${parts.filter(Boolean).join(', ')}${cite(fact.place)}`;
}

import type { Shape } from '../../../../src-shared/contract/chat-tools.ts';
import { isWithin, type Period } from '../question/dates.ts';
import { vocabulary } from '../question/vocabulary.ts';
import { foldTerm } from '../../../../src-shared/medical/name-fold.ts';
import type {
  AppointmentFact,
  CostFact,
  DiagnosisFact,
  DocumentFact,
  MedicineFact,
  VaccinationFact,
} from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Finding } from './findings.ts';
import { pickOf } from './medicines.ts';

/** Diagnoses, each with the first and the last paper that has it; the newest first. */
export function findDiagnoses(
  record: PatientRecord,
  { keys, period, shape }: { keys: readonly string[] | null; period: Period | null; shape: Shape },
): Finding {
  const facts = record
    .diagnoses()
    .filter((fact) => (keys === null || keys.includes(fact.entryKey)) && isWithin(fact.date, period));
  return { kind: 'diagnoses', shape, groups: groupsOf(facts) };
}

/** The first and the last paper of each diagnosis, the newest first. */
const groupsOf = (facts: readonly DiagnosisFact[]): { first: DiagnosisFact; last: DiagnosisFact }[] =>
  [...Map.groupBy(facts, ({ entryKey }) => entryKey).values()]
    .map((group) => ({ first: group[0]!, last: group.at(-1)! }))
    .toReversed();

/**
 * Diagnoses of the papers that name medicines, or of others of the same day, as a prescription has none: those that the
 * medicines are for, if there are such.
 */
export function findDiagnosesBeside(
  record: PatientRecord,
  medicines: readonly MedicineFact[],
  isTreated: (icd10: string | null) => boolean,
): Finding {
  const papers = new Set(medicines.map(({ place }) => place?.documentId));
  const days = new Set(medicines.map(({ date }) => date));
  const all = record.diagnoses();
  const ofPapers = all.filter(({ place }) => place !== null && papers.has(place.documentId));
  const facts = ofPapers.length > 0 ? ofPapers : all.filter(({ date }) => date !== null && days.has(date));
  const treated = facts.filter(({ code }) => isTreated(code));
  const medicine = [...new Set(medicines.map(({ name }) => name))].join(', ');
  return {
    kind: 'diagnoses',
    shape: 'list',
    groups: groupsOf(treated.length > 0 ? treated : facts),
    beside: { medicine, isTreated: treated.length > 0 },
  };
}

/** Whether a vaccination protects against a disease: by its brand, or because its printed line names the disease. */
function protectsAgainst({ name, line }: VaccinationFact, diseases: readonly string[]): boolean {
  const folded = ` ${foldTerm(name)} `,
    printed = foldTerm(line);
  return vocabulary()
    .vaccines.filter(({ disease }) => diseases.includes(disease))
    .some(
      ({ brands, words }) =>
        brands.some((brand) => folded.includes(` ${brand} `)) || words.some((word) => printed.includes(word)),
    );
}

export interface VaccinationsQuery {
  /** Diseases of the vocabulary; null for all. */
  diseases: readonly string[] | null;
  /** Folded names of vaccines; null for all. */
  names: readonly string[] | null;
  period: Period | null;
  shape: Shape;
}

/** Vaccinations, oldest first. */
export function findVaccinations(record: PatientRecord, query: VaccinationsQuery): Finding {
  const { diseases, names, period, shape } = query;
  const facts = record
    .vaccinations()
    .filter((fact) => isWithin(fact.date, period))
    .filter((fact) => diseases === null || protectsAgainst(fact, diseases))
    .filter((fact) => names === null || names.some((name) => foldTerm(fact.name).includes(name)));
  return { kind: 'vaccinations', shape, facts: pickOf(facts, shape) };
}

/** Stays in a hospital, oldest first. */
export function findStays(record: PatientRecord, period: Period | null, shape: Shape): Finding {
  const facts = record.stays().filter(({ date, to }) => overlaps(date, to ?? date, period));
  return { kind: 'stays', shape, facts: pickOf(facts, shape) };
}

/** Events of the timeline, oldest first. */
export function findEpisodes(record: PatientRecord, period: Period | null): Finding {
  const facts = record
    .episodes()
    .filter(({ date, end, isOngoing }) => overlaps(date, isOngoing ? record.today : (end ?? date), period));
  return { kind: 'episodes', facts };
}

const overlaps = (from: string | null, to: string | null, period: Period | null): boolean =>
  period === null ||
  (from !== null && (period.to === null || from <= period.to) && (period.from === null || (to ?? from) >= period.from));

/** Appointments that papers name and nobody marked as done. */
export function findAppointments(
  record: PatientRecord,
  isWanted: (words: string, fact: AppointmentFact) => boolean,
): Finding {
  const open = record
    .appointments()
    .filter(({ isDone }) => !isDone)
    .filter((fact) => isWanted([fact.doctor, fact.facility, fact.specialty].filter(Boolean).join(' '), fact));
  return {
    kind: 'appointments',
    ahead: open.filter(({ date }) => (date ?? '') >= record.today),
    overdue: open.filter(({ date }) => (date ?? '') < record.today),
  };
}

/** Lines of invoices with their sum by currency. */
export function findCosts(
  record: PatientRecord,
  period: Period | null,
  isWanted: (fact: CostFact) => boolean,
): Finding {
  const facts = record.costs().filter((fact) => isWithin(fact.date, period) && isWanted(fact));
  const totals = [...Map.groupBy(facts, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    amount: Math.round(group.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100,
  }));
  return { kind: 'costs', facts, totals };
}

/** Documents, newest first. */
export function findDocuments(
  record: PatientRecord,
  { types, period, among, shape }: DocumentsQuery,
): Extract<Finding, { kind: 'documents' }> {
  const found = record
    .documents()
    .filter((document) => types.length === 0 || (document.type !== null && types.includes(document.type)))
    .filter(({ date }) => isWithin(date, period))
    .filter((document) => among?.(document) ?? true);
  const oldestFirst = pickOf(found.toReversed(), shape);
  return { kind: 'documents', shape, total: found.length, facts: oldestFirst.toReversed(), focus: null };
}
export interface DocumentsQuery {
  types: readonly string[];
  period: Period | null;
  among?: (document: DocumentFact) => boolean;
  shape: Shape;
}

/** What is new since a day, until another if there is one, and what differs from before. */
export function findChanges(record: PatientRecord, since: string, until: string | null): Finding {
  const isNew = (date: string | null): boolean => isWithin(date, { from: since, to: until });
  const lastAndBefore = <Fact extends { date: string | null }>(facts: readonly Fact[], keyOf: (fact: Fact) => string) =>
    [...Map.groupBy(facts, keyOf).values()].flatMap((group) => {
      const last = group.findLast(({ date }) => isNew(date));
      return last ? [{ before: group.findLast(({ date }) => date !== null && date < since) ?? null, last }] : [];
    });
  const results = lastAndBefore(
    record.results().filter(({ isDoubtful }) => !isDoubtful),
    ({ testKey }) => testKey,
  );
  const medicines = lastAndBefore(record.medicines(), ({ entryKey }) => entryKey);
  const diagnoses = lastAndBefore<DiagnosisFact>(record.diagnoses(), ({ entryKey }) => entryKey);
  return {
    kind: 'changes',
    since,
    until,
    changes: {
      documents: record.documents().filter(({ date }) => isNew(date)),
      results: results.filter(({ before, last }) => before?.outside !== last.outside || last.outside !== null),
      medicines: medicines.filter(({ before, last }) => before?.dosage !== last.dosage || before === null),
      diagnoses: diagnoses.filter(({ before }) => before === null).map(({ last }) => last),
      vaccinations: record.vaccinations().filter(({ date }) => isNew(date)),
    },
  };
}

import type { Pick, Shape } from '../../../../src-shared/contract/chat-tools.ts';
import type { Period } from '../question/dates.ts';
import type { FoundPassages } from '../retrieval.ts';
import type {
  AppointmentFact,
  CostFact,
  DiagnosisFact,
  DocumentFact,
  EpisodeFact,
  MedicineFact,
  ResultFact,
  StayFact,
  VaccinationFact,
} from '../record/facts.ts';

/** Results of one test, oldest first. */
export interface TestResults {
  key: string;
  /** As the newest paper prints it. */
  printedName: string;
  facts: ResultFact[];
  /** Results that may have been read wrongly and are therefore not compared. */
  doubtful: ResultFact[];
  /** The last result of the period that can be compared, if it is within its range. */
  lastInside: ResultFact | null;
  /** The number of all results of the period. */
  total: number;
}

/** What a tool found in a record. */
export type Finding =
  /** With `asksRange`, the question is whether the results are as they should be. */
  | { kind: 'results'; pick: Pick; period: Period | null; tests: TestResults[]; asksRange?: true }
  | { kind: 'medicines_now'; at: Period; current: MedicineFact[]; older: MedicineFact[] }
  | { kind: 'medicines'; shape: Shape; period: Period | null; facts: MedicineFact[] }
  | { kind: 'diagnoses'; shape: Shape; groups: { first: DiagnosisFact; last: DiagnosisFact }[]; beside?: Beside }
  | { kind: 'vaccinations'; shape: Shape; facts: VaccinationFact[] }
  | { kind: 'stays'; shape: Shape; facts: StayFact[] }
  | { kind: 'episodes'; facts: EpisodeFact[] }
  | { kind: 'appointments'; ahead: AppointmentFact[]; overdue: AppointmentFact[] }
  | { kind: 'costs'; facts: CostFact[]; totals: { currency: string; amount: number }[] }
  | { kind: 'documents'; shape: Shape; total: number; facts: DocumentFact[]; focus: 'doctor' | 'date' | null }
  | { kind: 'changes'; since: string; until: string | null; changes: Changes }
  | ({ kind: 'passages' } & FoundPassages)
  | { kind: 'other_person'; name: string };

/** Diagnoses of the papers that name medicines. */
export interface Beside {
  /** Names of the medicines. */
  medicine: string;
  /** Whether medicines of its group are for the diagnoses; otherwise they are all that its papers name. */
  isTreated: boolean;
}

export interface Changes {
  documents: DocumentFact[];
  /** The last result of a test and the one before the day, if one of them is out of range. */
  results: { before: ResultFact | null; last: ResultFact }[];
  medicines: { before: MedicineFact | null; last: MedicineFact }[];
  diagnoses: DiagnosisFact[];
  vaccinations: VaccinationFact[];
}

/** Whether a tool found nothing. */
export function isEmpty(finding: Finding): boolean {
  switch (finding.kind) {
    case 'results':
      return finding.tests.every(({ facts, doubtful }) => facts.length + doubtful.length === 0);
    case 'medicines_now':
      return finding.current.length + finding.older.length === 0;
    case 'diagnoses':
      return finding.groups.length === 0;
    case 'appointments':
      return finding.ahead.length + finding.overdue.length === 0;
    case 'changes':
      return Object.values(finding.changes).every((list: readonly unknown[]) => list.length === 0);
    case 'passages':
      return finding.passages.length === 0;
    case 'other_person':
      return false;
    default:
      return finding.facts.length === 0;
  }
}

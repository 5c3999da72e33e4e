import type { PatientRecord } from '../record/patient-record.ts';
import type { Finding } from '../tools/findings.ts';
import type { Question } from './question.ts';
import type { Subjects } from './subjects.ts';
import type { Term } from './terms.ts';
import type { Cue } from './vocabulary.ts';

/** A question with what it names in a record. */
export interface Asked {
  record: PatientRecord;
  question: Question;
  subjects: Subjects;
  /** The terms of the question besides small words, and without those that belong to these cues. */
  terms(...without: Cue[]): Term[];
}
/** A route answers a question by one tool, or leaves it to the next route. */
export type Route = (asked: Asked) => Finding | null;

import type { LabResult } from '../../../src-shared/contract/labs.ts';
import type { PatientQuestion } from '../../../src-shared/contract/review.ts';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';

import { candidatesOf, type Candidate } from './result-candidates.ts';

/** One thing to decide: whose some documents are, a doubtful result, or a question about one document. */
export type Item =
  | { kind: 'patient'; key: string; question: PatientQuestion }
  | { kind: 'result'; key: string; result: LabResult; document: DocumentListItem }
  /** `asksRows` if its doubtful results are items of their own. */
  | { kind: 'document'; key: string; document: DocumentListItem; asksRows: boolean };

/** An answer that a key or a button gives. */
export type Choice =
  | { kind: 'assign'; patientId: number; name: string; isChosen: boolean }
  | { kind: 'add'; name: string; birth: string | null }
  | { kind: 'split' }
  | { kind: 'date'; date: string }
  | { kind: 'value'; value_text: string; unit: string | null; source: Candidate['source'] | 'entry' }
  /** Opens fields for another value. */
  | { kind: 'enter' }
  | { kind: 'unreadable' }
  /** A deleted document with the same content, instead of this one. */
  | { kind: 'restore'; trashId: number; label: string }
  | { kind: 'read_new' }
  | { kind: 'reviewed' };

type Person = PatientQuestion['candidates'][number];

/** Answers have the keys 1 to 9. */
const MAX_CHOICES = 9;

/** What there is to decide, as the API lists it. */
interface ReviewLists {
  questions: readonly PatientQuestion[];
  results: readonly LabResult[];
  result_documents: readonly DocumentListItem[];
  documents: readonly DocumentListItem[];
}

/** What to decide in order; the documents of split questions are decided one by one. */
export function itemsOf(
  { questions, documents, results, result_documents }: ReviewLists,
  split: ReadonlySet<string>,
): Item[] {
  const documentOf = new Map(result_documents.map((document) => [document.id, document]));
  return [
    ...questions.flatMap((question): Item[] =>
      split.has(question.key)
        ? question.documents.map((document) => ({
            kind: 'patient',
            key: `patient-${question.key}-${document.id}`,
            question: { ...question, documents: [document] },
          }))
        : [{ kind: 'patient', key: question.key, question }],
    ),
    ...results.flatMap((result): Item[] => {
      const document = documentOf.get(result.document_id ?? 0);
      return document ? [{ kind: 'result', key: `result-${result.id}`, result, document }] : [];
    }),
    ...documents
      .filter((document) => !(documentOf.has(document.id) && document.review_reasons.every(isAboutRows)))
      .map((document): Item => {
        const asksRows = documentOf.has(document.id);
        const review_reasons = document.review_reasons.filter((reason) => !(asksRows && isAboutRows(reason)));
        const key = `document-${document.id}`;
        return { kind: 'document', key, document: { ...document, review_reasons }, asksRows };
      }),
  ];
}

/** The doubtful rows of a document are asked about one by one. */
const isAboutRows = ({ code }: DocumentListItem['review_reasons'][number]): boolean => code === 'low_confidence_rows';

/** The answers to a question, the most likely first. `people` are those to whom the user may write. */
export function choicesOf(item: Item, people: readonly Person[]): Choice[] {
  switch (item.kind) {
    case 'patient':
      return patientChoices(item.question, people).slice(0, MAX_CHOICES);
    case 'result':
      return resultChoices(item.result);
    case 'document':
      return documentChoices(item.document).slice(0, MAX_CHOICES);
  }
}

/** The candidates, another value, or that the value can't be read. */
const resultChoices = (result: LabResult): Choice[] => [
  ...candidatesOf(result)
    .slice(0, MAX_CHOICES - 2)
    .map((candidate): Choice => ({ kind: 'value', ...candidate })),
  { kind: 'enter' },
  { kind: 'unreadable' },
];

function patientChoices(question: PatientQuestion, people: readonly Person[]): Choice[] {
  const { candidates, chosen, name, date_of_birth: birth, other_names: others, documents, may_answer } = question;
  if (!may_answer) return [];
  const assign = ({ id, display_name }: Person): Choice => ({
    kind: 'assign',
    patientId: id,
    name: display_name,
    isChosen: id === chosen?.id,
  });
  const isKnown = candidates.some((person) => birth !== null && person.date_of_birth === birth);
  const named = new Set([...candidates.map(({ id }) => id), ...(chosen ? [chosen.id] : [])]);
  return [
    ...candidates.map(assign),
    ...(name !== null && !isKnown && others.length === 0 ? [{ kind: 'add', name, birth } as const] : []),
    ...(chosen ? [assign(chosen)] : []),
    ...(documents.length > 1
      ? [{ kind: 'split' } as const]
      : people.filter(({ id }) => !named.has(id)).map((person) => assign(person))),
  ];
}

/** Dates that the reason names, for a doubtful date; otherwise that the document is right as it is. */
function documentChoices({ status, review_reasons: [reason] }: DocumentListItem): Choice[] {
  if (status === 'failed') return [];
  if (reason?.code === 'in_trash') {
    const { trash_id: trashId, label } = reason.params ?? {};
    return [{ kind: 'restore', trashId: Number(trashId), label: String(label) }, { kind: 'read_new' }];
  }
  return [...datesOf(reason).map((date): Choice => ({ kind: 'date', date })), { kind: 'reviewed' }];
}

function datesOf(reason: DocumentListItem['review_reasons'][number] | undefined): string[] {
  const { dates, date } = reason?.params ?? {};
  if (reason?.code === 'conflicting_dates') return String(dates).split(', ');
  return reason?.code === 'ambiguous_date_order' ? [String(date), swapped(String(date))] : [];
}

/** The date with day and month in the other order. */
const swapped = (date: string): string => date.replace(/-(\d\d)-(\d\d)$/, '-$2-$1');

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { sexText } from './auth.ts';
import { documentListItem, labResult } from './rows.ts';
import { civilDate, id, idText, nameText } from './wire.ts';

const person = z.object({ id, display_name: z.string(), date_of_birth: civilDate.nullable() });

/** Documents that ask the same question: whose are they? */
const patientQuestion = z.object({
  /** Stays the same as long as the question has the same first document. */
  key: z.string(),
  /** Name and birth date on the pages. */
  name: z.string().nullable(),
  date_of_birth: civilDate.nullable(),
  /** Names of other persons to whom some of the pages belong. */
  other_names: z.array(z.string()),
  /** The person who was chosen at upload, or by the inbox folder. */
  chosen: person.nullable(),
  /** Persons whom the pages may name and to whom the caller may write, the most likely first. */
  candidates: z.array(person),
  /** Whether the caller may answer. */
  may_answer: z.boolean(),
  documents: z.array(documentListItem),
});
export type PatientQuestion = z.output<typeof patientQuestion>;

const documentIds = z.array(id).min(1).max(500);
const answer = z.discriminatedUnion('answer', [
  z.strictObject({
    answer: z.literal('add_person'),
    document_ids: documentIds,
    display_name: nameText,
    date_of_birth: civilDate.nullish(),
    sex: sexText.nullish(),
  }),
  z.strictObject({ answer: z.literal('assign'), document_ids: documentIds, patient_id: id }),
  z.strictObject({
    answer: z.literal('reopen'),
    document_ids: documentIds,
    /** The person who was chosen for the documents. */
    patient_id: id.nullable(),
    /** The person whom the answer added. */
    remove_patient_id: id.nullish(),
  }),
  /** Undoes that documents were marked as reviewed. */
  z.strictObject({ answer: z.literal('reopen_review'), document_ids: documentIds }),
]);
export type ReviewAnswer = z.output<typeof answer>;

export const review = {
  list: endpoint({
    method: 'GET',
    path: '/api/review',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText.optional() }),
    reply: z.object({
      questions: z.array(patientQuestion),
      /** Other documents to review, newest first. */
      documents: z.array(documentListItem),
      documents_total: z.int(),
      /** Doubtful results that the caller may correct, those of the newest document first, and their documents. */
      results: z.array(labResult),
      results_total: z.int(),
      result_documents: z.array(documentListItem),
    }),
    summary:
      'Lists what a user has to decide: whose documents are, by question, other documents to review, and ' +
      'doubtful lab results.',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/review/answers',
    access: 'editor',
    audit: 'document.update',
    body: answer,
    reply: z.object({ document_ids: z.array(id), patient_id: id.nullable(), added_patient_id: id.nullable() }),
    errors: ['document.not_found', 'document.busy', 'patient.not_found', 'patient.has_documents', 'auth.forbidden'],
    summary:
      'Answers whose documents these are: adds the person and files them, files them under a person, or undoes such ' +
      'an answer or that documents were marked as reviewed. The reply names all documents that were filed.',
  }),
} as const;

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { documentListItem, labResult } from './rows.ts';
import { civilDate, id, idText, wholeText } from './wire.ts';

export const today = {
  overview: endpoint({
    method: 'GET',
    path: '/api/today',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText.optional(), follow_ups: wholeText(1, 5000).default(20) }),
    reply: z.object({
      /** Also documents that were added for somebody else, but whose pages may name the patient. */
      to_review: z.array(documentListItem),
      to_review_total: z.int(),
      recent: z.array(documentListItem),
      /** Results out of range in the newest report of each person, the newest report first. */
      abnormal: z.array(
        z.object({
          patient_id: id,
          patient_name: z.string(),
          document_id: id,
          document_date: civilDate.nullable(),
          results: z.array(
            labResult.extend({ series: z.array(z.object({ test_date: civilDate.nullable(), value: z.number() })) }),
          ),
        }),
      ),
      follow_ups: z.array(
        z.object({
          document_id: id,
          encounter_id: id,
          patient_id: id,
          patient_name: z.string().nullable(),
          follow_up_date: civilDate,
          follow_up_instructions: z.string().nullable(),
          document_date: civilDate.nullable(),
        }),
      ),
      follow_up_total: z.int(),
      document_total: z.int(),
    }),
    summary: 'Returns documents to review, new documents, results out of range and open follow-ups, the nearest first.',
  }),
} as const;

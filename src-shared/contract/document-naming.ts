import { z } from 'zod';
import { DOCUMENT_TYPES } from '../medical/document-type.ts';
import { civilDate } from './wire.ts';

/** Wire shapes of what names a document; `documentTitle` words them in the language of the reader. */

const text = z.string().nullable();
export const documentType = z.enum(DOCUMENT_TYPES);

/** What is notable about a document, from its rows. */
export const highlights = z.object({
  results: z.int(),
  in_range: z.int(),
  /** Results outside their range; doubtful ones count only as doubtful. */
  out_of_range: z.int(),
  doubtful: z.int(),
  /** Up to three diagnoses, medicines, vaccines, examinations or items, as printed; the kind follows from the type. */
  subjects: z.array(z.string()),
  /** The number of further subjects. */
  more: z.int(),
  stay: z.object({ from: civilDate, to: civilDate }).nullable(),
  /** Total of an invoice, if all its lines have amounts in one currency. */
  total: z.object({ amount: z.number(), currency: z.string() }).nullable(),
});
export type Highlights = z.output<typeof highlights>;

/** What names a document without its rows. */
export const documentIdentity = z.object({
  /** The user's own title. */
  title: text,
  original_filename: z.string(),
  doc_type: documentType.nullable(),
  facility_name: text,
  doctor_name: text,
  specialty_display: text,
  event_date: civilDate.nullable(),
});
export type DocumentIdentity = z.output<typeof documentIdentity>;
export const documentNaming = documentIdentity.extend({ highlights });
export type DocumentNaming = z.output<typeof documentNaming>;

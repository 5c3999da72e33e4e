import { z } from 'zod';
import { timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();
const fileId = z.string().nullable();

export const contactRow = z.object({
  contact_identifier: z.string(),
  first_name: text,
  last_name: text,
  company: text,
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  avatar_file_id: fileId,
  prefix: text,
  middle_name: text,
  suffix: text,
  nickname: text,
  department: text,
  job_title: text,
  birthday: text,
  note: text,
  /** Every labeled value, such as {kind: 'phone', label: 'mobile', value: '+41…'}. Addresses contain line breaks. */
  labelled: z.array(
    z.object({ kind: z.enum(['phone', 'email', 'address', 'url', 'date', 'other']), label: text, value: z.string() }),
  ),
  modified_at: when,
});
export type ContactRow = z.output<typeof contactRow>;
/** A contact's picture, base64-encoded. */
export const contactPicture = z.object({
  mime_type: z.enum(['image/jpeg', 'image/png', 'image/gif']),
  data: z.base64(),
});
export type ContactPicture = z.output<typeof contactPicture>;

export const callRow = z.object({
  call_identifier: z.string(),
  address: text,
  name: text,
  service: text,
  direction: z.enum(['incoming', 'outgoing']),
  is_answered: z.boolean(),
  is_video: z.boolean(),
  started_at: when,
  duration_seconds: z.number(),
});
export type CallRow = z.output<typeof callRow>;

export const voicemailRow = z.object({
  voicemail_identifier: z.string(),
  sender: text,
  sender_name: text,
  received_at: when,
  duration_seconds: z.number(),
  trashed_at: when,
  transcript: text,
  file_id: fileId,
  relative_path: text,
});
export type VoicemailRow = z.output<typeof voicemailRow>;

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { civilDate, freeText, id } from '../wire.ts';

const backupId = z.string().min(1).max(255);
const sessionToken = z.string().min(1).max(200);
const wanted = z.strictObject({
  file_id: z.string().min(1).max(1000),
  /** What it shall be called; else as on the phone. */
  filename: freeText(255).optional(),
  /** The day that it is from; else when the file was last changed on the phone. */
  original_date: civilDate.optional(),
  /** Where it stood, for a person: `Message from Dr. Frisch`. */
  origin: freeText(500).optional(),
});
const sent = z.object({
  file_id: z.string(),
  /** `duplicate`: the vault has this file; `refused`: `code` says why. */
  status: z.enum(['pending', 'duplicate', 'refused']),
  document_id: id.nullable(),
  filename: z.string(),
  code: z.string().nullable(),
  detail: z.string().nullable(),
});

/** What the vault does with phone backups, for a signed-in person. Browsing them is `phone-backups.ts`. */
export const phone = {
  service: endpoint({
    method: 'GET',
    path: '/api/phone-service',
    access: 'admin',
    reply: z.object({ url: z.string().nullable(), api_token: z.string(), base_directory: z.string() }),
    summary:
      'Where the service for phone backups listens, and the token that other programs of this computer need for it.',
  }),
  sent: endpoint({
    method: 'GET',
    path: '/api/phone-service/sent',
    access: 'session',
    query: z.object({ backup_id: backupId }),
    reply: z.object({ items: z.array(z.object({ file_id: z.string(), document_id: id })) }),
    summary: 'Which files of a backup are documents already, as far as the caller may see them.',
  }),
  noteSent: endpoint({
    method: 'POST',
    path: '/api/phone-service/sent',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'document.update',
    body: z.strictObject({ backup_id: backupId, file_id: z.string().min(1).max(1000), document_id: id }),
    reply: 'empty',
    summary:
      'Notes of which file of a backup a document was made, for a page that read the backup and uploaded the file by itself.',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/phone-service/send',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'document.create',
    body: z.strictObject({
      backup_id: backupId,
      session_token: sessionToken,
      patient_id: id,
      items: z.array(wanted).min(1).max(200),
    }),
    reply: z.object({ items: z.array(sent) }),
    errors: ['phone.not_found', 'phone.session_invalid', 'phone.session_foreign', 'server.disk_full'],
    summary:
      'Files of an open backup become documents of a patient, as if they were uploaded, with their origin noted and their own date.',
  }),
  sendHealth: endpoint({
    method: 'POST',
    path: '/api/phone-service/send-health',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'lab_result.create',
    body: z.strictObject({
      backup_id: backupId,
      patient_id: id,
      types: z.array(z.string().max(100)).min(1).max(100),
      /** Left out: of every source. */ sources: z.array(z.string().max(300)).min(1).max(100).optional(),
      from: civilDate.optional(),
      to: civilDate.optional(),
      /** One value for each day, its mean; else each sample. */
      daily: z.boolean().default(true),
    }),
    reply: z.object({
      added: z.int(),
      already_there: z.int(),
      types: z.array(z.object({ type: z.string(), added: z.int(), already_there: z.int() })),
    }),
    errors: ['phone.not_found', 'phone.not_measurement', 'row.name_not_found'],
    summary:
      'Health samples of the chosen types and sources go to the trends of a patient, marked by where they are from.',
  }),
  addMeasurements: endpoint({
    method: 'POST',
    path: '/api/phone-service/measurements',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'lab_result.create',
    body: z.strictObject({
      patient_id: id,
      /** What the phone is called. */ device: freeText(200),
      /** Each value is the mean of its day, and takes the place of the one before. */ daily: z.boolean().default(true),
      measurements: z
        .array(
          z.strictObject({
            type: z.string().max(100),
            value: z.number(),
            unit: freeText(50).nullable(),
            date: civilDate,
            /** The app or device that wrote it. */ source: freeText(300).nullable(),
          }),
        )
        .min(1)
        .max(2000),
    }),
    reply: z.object({ added: z.int(), already_there: z.int() }),
    errors: ['phone.not_measurement'],
    summary:
      'Health values that a page read from a backup by itself go to the trends of a patient, marked by where they are from.',
  }),
} as const;

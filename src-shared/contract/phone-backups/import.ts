import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { errorBody } from '../errors.ts';
import { civilDate, freeText, id } from '../wire.ts';

const backupId = z.string().min(1).max(255);
const sessionToken = z.string().min(1).max(200);
const fileToImport = z.strictObject({
  file_id: z.string().min(1).max(1000),
  /** The document's filename; by default the name on the phone. */
  filename: freeText(255).optional(),
  /** The document's date; by default the day on which the file was last changed on the phone. */
  original_date: civilDate.optional(),
  /** Where the file comes from, as shown to the user: `Message from Dr. Frisch`. */
  origin: freeText(500).optional(),
});
const importedFile = z.object({
  file_id: z.string(),
  /**
   * `duplicate`: the vault already has this file; `in_trash`: the item `trash_id` of the trash has it, and nothing was
   * stored; `refused`: `code` says why.
   */
  status: z.enum(['pending', 'duplicate', 'in_trash', 'refused']),
  document_id: id.nullable(),
  trash_id: id.nullable(),
  filename: z.string(),
  code: errorBody.shape.code.nullable(),
  detail: z.string().nullable(),
  params: errorBody.shape.params,
});

/** Import from phone backups into the vault, for signed-in users. `service.ts` declares the endpoints that browse. */
export const phoneImport = {
  service: endpoint({
    method: 'GET',
    path: '/api/phone-service',
    access: 'admin',
    // Who has the token can read every phone backup on this computer.
    audit: 'token.view',
    reply: z.object({ url: z.string().nullable(), api_token: z.string(), base_directory: z.string() }),
    summary: 'Returns the address of the phone-backup service and the token for other programs on this computer.',
  }),
  importedFiles: endpoint({
    method: 'GET',
    path: '/api/phone-service/sent',
    access: 'session',
    query: z.object({ backup_id: backupId }),
    reply: z.object({ items: z.array(z.object({ file_id: z.string(), document_id: id })) }),
    summary: 'Lists files of a backup that were already imported as documents which the caller may see.',
  }),
  recordImport: endpoint({
    method: 'POST',
    path: '/api/phone-service/sent',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'document.update',
    body: z.strictObject({ backup_id: backupId, file_id: z.string().min(1).max(1000), document_id: id }),
    reply: 'empty',
    summary:
      'Records which file of a backup became a document, if the page itself read the backup and uploaded the file.',
  }),
  importFiles: endpoint({
    method: 'POST',
    path: '/api/phone-service/send',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'document.create',
    body: z.strictObject({
      backup_id: backupId,
      session_token: sessionToken,
      patient_id: id,
      items: z.array(fileToImport).min(1).max(200),
    }),
    reply: z.object({ items: z.array(importedFile) }),
    errors: [
      'phone.not_found',
      'phone.session_invalid',
      'phone.session_mismatch',
      'phone.too_demanding',
      'server.disk_full',
    ],
    summary: 'Imports files of an open backup as documents of a patient, with their origin and date.',
  }),
  importHealth: endpoint({
    method: 'POST',
    path: '/api/phone-service/send-health',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'lab_result.create',
    body: z.strictObject({
      backup_id: backupId,
      patient_id: id,
      types: z.array(z.string().max(100)).min(1).max(100),
      /** All sources if omitted. */
      sources: z.array(z.string().max(300)).min(1).max(100).optional(),
      from: civilDate.optional(),
      to: civilDate.optional(),
      /** One mean value per day instead of every sample. */
      daily: z.boolean().default(true),
    }),
    reply: z.object({
      added: z.int(),
      already_there: z.int(),
      types: z.array(z.object({ type: z.string(), added: z.int(), already_there: z.int() })),
    }),
    errors: ['phone.not_found', 'phone.unsupported_type', 'row.name_not_found'],
    summary: 'Adds health samples of the selected types and sources to the trends of a patient, with their source.',
  }),
  addMeasurements: endpoint({
    method: 'POST',
    path: '/api/phone-service/measurements',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'lab_result.create',
    body: z.strictObject({
      patient_id: id,
      /** The name of the phone. */
      device: freeText(200),
      /** Each value is a daily mean and replaces the previous one of that day. */
      daily: z.boolean().default(true),
      measurements: z
        .array(
          z.strictObject({
            type: z.string().max(100),
            value: z.number(),
            unit: freeText(50).nullable(),
            date: civilDate,
            /** The app or device that recorded the value. */
            source: freeText(300).nullable(),
          }),
        )
        .min(1)
        .max(2000),
    }),
    reply: z.object({ added: z.int(), already_there: z.int() }),
    errors: ['phone.unsupported_type'],
    summary:
      'Adds health values that the page itself read from a backup to the trends of a patient, with their source.',
  }),
} as const;

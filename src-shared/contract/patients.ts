import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { sex, sexText } from './auth.ts';
import { TRASH_DAYS } from './trash.ts';
import { civilDate, grantRole, id, idParams, nameText, timestamp } from './wire.ts';

export const patient = z.object({
  id,
  slug: z.string(),
  display_name: z.string(),
  date_of_birth: civilDate.nullable(),
  sex: sex.nullable(),
  created_at: timestamp,
  role: grantRole.nullable(),
});
export type Patient = z.output<typeof patient>;

export const patients = {
  list: endpoint({
    method: 'GET',
    path: '/api/patients',
    access: 'session',
    reply: z.array(patient),
    summary: 'Lists the patients that the caller may see, by name.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/patients',
    access: 'editor',
    audit: 'patient.create',
    status: 201,
    body: z.strictObject({ display_name: nameText, date_of_birth: civilDate.nullish(), sex: sexText.nullish() }),
    reply: patient,
    summary: 'Creates a patient; the creator becomes its owner.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/patients/{id}',
    access: { patient: 'read' },
    params: idParams,
    reply: patient.extend({ document_count: z.int() }),
    errors: ['patient.not_found'],
    summary: 'Returns a patient.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/patients/{id}',
    access: { patient: 'write' },
    audit: 'patient.update',
    params: idParams,
    body: z.strictObject({
      display_name: nameText.optional(),
      date_of_birth: civilDate.nullish(),
      sex: sexText.nullish(),
    }),
    reply: patient.extend({ document_count: z.int() }),
    errors: ['patient.not_found'],
    summary: 'Changes name, date of birth or sex. The slug, and with it the folder, stays the same.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/patients/{id}',
    access: { patient: 'owner' },
    audit: 'patient.delete',
    params: idParams,
    reply: z.object({
      ok: z.literal(true),
      status: z.literal('deleted'),
      patient_id: id,
      trash_id: id,
      undo_until: timestamp,
    }),
    errors: ['patient.not_found', 'document.busy', 'imaging.being_filed'],
    summary: `Moves a patient with all documents to the trash. Can be undone for ${TRASH_DAYS} days.`,
  }),
} as const;

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParams, timestamp } from './wire.ts';

const person = z.object({
  patient_id: id,
  display_name: z.string(),
  /** Whether assistants on this computer may read the record. */
  is_allowed: z.boolean(),
  /** The display name of the owner who allowed it. */
  allowed_by: z.string().nullable(),
  allowed_at: timestamp.nullable(),
  /** Whether the caller may change that. */
  may_change: z.boolean(),
});
export type AssistantPerson = z.output<typeof person>;

/** How an assistant starts the program that it asks (Model Context Protocol, transport stdio). */
const program = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
export type AssistantProgram = z.output<typeof program>;

const ofPatient = { access: { patient: 'owner' }, params: idParams, reply: person } as const;

/** Which records programs on this computer may read through `hearth mcp`. */
export const assistants = {
  get: endpoint({
    method: 'GET',
    path: '/api/assistants',
    access: 'session',
    reply: z.object({
      people: z.array(person),
      /** Null for callers on another computer, where it would not work. */
      program: program.nullable(),
      /** The setting of this name. */
      nothing_leaves: z.boolean(),
    }),
    summary:
      'Lists the patients that the caller may see, and whether assistants on this computer may read their records, ' +
      'with the program that an assistant starts.',
  }),
  allow: endpoint({
    method: 'PUT',
    path: '/api/assistants/patients/{id}',
    audit: 'assistant.allow',
    ...ofPatient,
    summary: 'Lets assistants on this computer read the record of a patient.',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/assistants/patients/{id}',
    audit: 'assistant.revoke',
    ...ofPatient,
    summary: 'Ends that at once, also for assistants that are connected.',
  }),
} as const;

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const status = z.object({
  /** Whether the sample household is open; null of it otherwise. */
  open: z
    .object({
      username: z.string(),
      password: z.string(),
      /** Unlocks the phone backup of the household. */
      phone_passphrase: z.string(),
      /** The folder of the phone backup, for reading it in the page. */
      phone_folder: z.string(),
    })
    .nullable(),
  /** Whether the sample household can be opened: nobody is set up yet, and only this computer reaches Hearth. */
  can_open: z.boolean(),
  /** Why the last switch between the two households failed. */
  failed: z.enum(['open', 'close']).nullable(),
});
export type SampleStatus = z.output<typeof status>;

const started = z.object({ ok: z.literal(true) });

/** The sample household, which can be tried before setting up one's own. Nothing in it is kept. */
export const sample = {
  status: endpoint({
    method: 'GET',
    path: '/api/sample',
    access: 'public',
    reply: status,
    summary:
      'Reports whether the sample household is open, with what it takes to sign in, or whether it can be opened.',
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/sample/open',
    access: 'public',
    csrfExempt: true,
    reply: started,
    status: 202,
    errors: ['setup.already_completed', 'sample.unavailable', 'vault.closing'],
    summary:
      'Replaces the empty vault by the sample household until it is closed. Hearth restarts under the same address.',
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/sample/close',
    access: 'session',
    reply: started,
    status: 202,
    errors: ['sample.not_open'],
    summary: 'Deletes the sample household with all changes and opens the household’s own vault again.',
  }),
} as const;

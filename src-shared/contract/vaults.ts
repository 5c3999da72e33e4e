import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { refusal } from './field-errors.ts';
import { freeText, timestamp } from './wire.ts';

/**
 * `open` is the one that is shown, `ready` can be opened, `absent` is on a disk that is not connected, `in_use` is open
 * on another computer.
 */
export const VAULT_STATES = ['open', 'ready', 'absent', 'in_use'] as const;

const vault = z.object({
  path: z.string(),
  state: z.enum(VAULT_STATES),
  /** The computer that has it open, of those in use elsewhere. */
  host: z.string().nullable(),
});
export type ListedVault = z.output<typeof vault>;

const overview = z.object({
  path: z.string(),
  /** When the state was copied that is shown, if another program has it open and nothing can be changed. */
  read_only_since: timestamp.nullable(),
  /** The computer that left it open, and whose claim was taken over at this start. */
  taken_from: z.string().nullable(),
  /** Whether this program can open another vault: a core that is part of something else can't. */
  can_switch: z.boolean(),
  recent: z.array(vault),
  /** The move that is being made, in bytes. */
  moving: z.object({ to: z.string(), done: z.int(), total: z.int() }).nullable(),
  /** The folder that the last move left behind. */
  moved_from: z.string().nullable(),
  /** Why the last switch or move failed. */
  last_error: z.string().nullable(),
});
export type VaultOverview = z.output<typeof overview>;

const path = freeText(2000)
  .transform((text) => text.trim())
  .refine((text) => text !== '', refusal('field.required'));
const SWITCH_ERRORS = [
  'vault.path_invalid',
  'vault.not_a_vault',
  'vault.absent',
  'vault.in_use',
  'vault.closing',
  'vault.cannot_switch',
] as const;

/** The vaults of this computer. Paths are for administrators. */
export const vaults = {
  overview: endpoint({
    method: 'GET',
    path: '/api/vaults',
    access: 'admin',
    reply: overview,
    summary: 'Reports which vault is open, and lists those that were opened before.',
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/vaults/open',
    access: 'admin',
    audit: 'vault.switch',
    status: 202,
    body: z.strictObject({
      path,
      /** Makes a new vault in an empty folder, which is not done by mistake. */
      create: z.boolean().default(false),
      /** Shows it as it is now, where another program has it open. */
      read_only: z.boolean().default(false),
    }),
    reply: overview,
    errors: SWITCH_ERRORS,
    summary:
      'Closes the vault and opens another one under the same address, which has its own accounts. The next start ' +
      'opens it as well.',
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/vaults/move',
    access: 'admin',
    audit: 'vault.move',
    status: 202,
    body: z.strictObject({ path }),
    reply: overview,
    errors: [
      'vault.path_invalid',
      'vault.not_empty',
      'vault.no_space',
      'vault.busy',
      'vault.cannot_switch',
      'vault.read_only',
    ],
    summary:
      'Copies the vault to an empty folder, compares every file, and goes on there. The previous folder is kept ' +
      'under another name.',
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/vaults/move',
    access: 'admin',
    reply: overview,
    summary: 'Stops a move and removes what was copied.',
  }),
  forget: endpoint({
    method: 'POST',
    path: '/api/vaults/forget',
    access: 'admin',
    body: z.strictObject({ path }),
    reply: overview,
    summary: 'Takes a vault out of the list. Its files stay.',
  }),
} as const;

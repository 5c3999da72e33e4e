import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const SWITCH_DIRECTIONS = ['encrypt', 'decrypt'] as const;

const state = z.object({
  is_open: z.boolean(),
  /** The switch that is being made; `is_undo` where it undoes another one that was cancelled. */
  switching: z
    .object({ direction: z.enum(SWITCH_DIRECTIONS), percent: z.int().min(0).max(100), is_undo: z.boolean() })
    .nullable(),
  /** A switch that was interrupted, and goes on when the vault is unlocked. */
  unfinished: z.enum(['encrypting', 'decrypting']).nullable(),
  /** Why the switch of this program failed. */
  failed: z.string().nullable(),
  /** Whether another vault was open before this one was chosen, which can be opened again instead. */
  can_go_back: z.boolean(),
});
export type VaultLockState = z.output<typeof state>;

/** The lock of an encrypted vault. It is answered before anybody can sign in, because the accounts are in the vault. */
export const vaultLock = {
  state: endpoint({
    method: 'GET',
    path: '/api/vault-lock',
    access: 'public',
    reply: state,
    summary: 'Reports whether the vault is open, and how far a switch of its encryption is.',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/vault-lock/unlock',
    access: 'public',
    body: z.strictObject({
      /** The password of the vault or its recovery key. */
      secret: z.string().min(1).max(1000),
    }),
    reply: z.object({ is_locked: z.literal(false) }),
    errors: ['vault.wrong_password', 'vault.unlock_here_only', 'vault.unlock_limited', 'vault.being_switched'],
    summary:
      'Unlocks an encrypted vault with its password or its recovery key, on the computer that Hearth runs on. ' +
      'Hearth opens the vault right after its reply, or goes on first with encrypting or decrypting it. Does nothing ' +
      'if the vault is open.',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/vault-lock/cancel',
    access: 'public',
    body: z.strictObject({
      /** The password of the vault or its recovery key. */
      secret: z.string().min(1).max(1000),
    }),
    reply: 'empty',
    errors: ['vault.wrong_password', 'vault.unlock_here_only', 'vault.unlock_limited', 'vault.not_being_switched'],
    summary:
      'Cancels a switch of the encryption that is being made or was interrupted, on the computer that Hearth runs on: ' +
      'undoes what was done of it, and opens the vault as it was before. GET /api/vault-lock reports how far that is.',
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/vault-lock/leave',
    access: 'public',
    reply: 'empty',
    errors: ['vault.unlock_here_only', 'vault.none_before'],
    summary:
      'Opens the vault again that was open before this one was chosen, on the computer that Hearth runs on. Does ' +
      'nothing if the vault is open.',
  }),
} as const;

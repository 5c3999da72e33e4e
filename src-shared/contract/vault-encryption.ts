import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const overview = z.object({
  is_encrypted: z.boolean(),
  /** Whether this program can close the vault: not while it is only shown, and not the sample household. */
  can_lock: z.boolean(),
});
export type EncryptionOverview = z.output<typeof overview>;

/** The encryption of the vault that is open. */
export const vaultEncryption = {
  overview: endpoint({
    method: 'GET',
    path: '/api/vault-encryption',
    access: 'admin',
    reply: overview,
    summary: 'Reports whether the vault is encrypted.',
  }),
  lock: endpoint({
    method: 'POST',
    path: '/api/vault-encryption/lock',
    access: 'admin',
    audit: 'vault.lock',
    status: 202,
    reply: overview,
    errors: ['vault.not_encrypted', 'vault.cannot_lock'],
    summary:
      'Closes the encrypted vault and forgets its keys. A running reading goes back to the queue, shares and backups ' +
      'wait, and everybody waits for the password, which is entered on the computer that Hearth runs on.',
  }),
  presence: endpoint({
    method: 'POST',
    path: '/api/vault-encryption/presence',
    access: 'session',
    reply: 'empty',
    summary: 'Says that a person uses a window, so that the vault is not locked as idle.',
  }),
} as const;

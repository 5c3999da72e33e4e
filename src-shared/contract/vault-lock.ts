import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The lock of an encrypted vault. It is answered before anybody can sign in, because the accounts are in the vault. */
export const vaultLock = {
  unlock: endpoint({
    method: 'POST',
    path: '/api/vault-lock/unlock',
    access: 'public',
    body: z.strictObject({
      /** The password of the vault or its recovery key. */
      secret: z.string().min(1).max(1000),
    }),
    reply: z.object({ is_locked: z.literal(false) }),
    errors: ['vault.wrong_password', 'vault.unlock_here_only', 'vault.unlock_limited'],
    summary:
      'Unlocks an encrypted vault with its password or its recovery key, on the computer that Hearth runs on. ' +
      'Hearth opens the vault right after its reply. Does nothing if the vault is open.',
  }),
} as const;

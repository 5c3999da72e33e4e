import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The same as for accounts (NIST SP 800-63B); this one can be guessed offline. */
export const VAULT_PASSWORD = { min: 12, max: 256 } as const;
const newPassword = z.string().min(VAULT_PASSWORD.min).max(VAULT_PASSWORD.max);
/** A password or a recovery key. */
const secret = z.string().min(1).max(1000);
const recoveryKey = z.strictObject({ recovery_key: z.string().min(1).max(200) });

const overview = z.object({
  is_encrypted: z.boolean(),
  /** Whether this program can switch the encryption: not while a vault is only shown, and not the sample household. */
  can_switch: z.boolean(),
  /** Whether the caller is at the computer that Hearth runs on, where passwords are typed. */
  is_here: z.boolean(),
  /** Backups in the chosen folder that were made before, and their folder. */
  plain_backups: z.object({ count: z.int(), folder: z.string() }),
  /** Why the last switch of this program failed. */
  last_error: z.string().nullable(),
  /** Whether this program can close the vault: not while it is only shown, and not the sample household. */
  can_lock: z.boolean(),
  /**
   * Whether the keychain of the computer opens this vault without its password when Hearth starts; null where there is
   * none, or the vault is not encrypted.
   */
  opens_by_keychain: z.boolean().nullable(),
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
    status: 202,
    reply: overview,
    errors: ['vault.not_encrypted', 'vault.cannot_lock', 'vault.closing'],
    summary:
      'Closes the encrypted vault and forgets its keys. A running reading goes back to the queue, shares and backups ' +
      'wait, and everybody waits for the password, which is entered on the computer that Hearth runs on.',
  }),
  makeRecoveryKey: endpoint({
    method: 'POST',
    path: '/api/vault-encryption/recovery-key',
    access: 'admin',
    body: z.strictObject({ password: newPassword }),
    reply: recoveryKey,
    errors: [
      'vault.wrong_password',
      'vault.unlock_limited',
      'vault.encryption_here_only',
      'vault.cannot_switch_here',
      'vault.busy',
      'vault.closing',
    ],
    summary:
      'Makes a recovery key and shows it once, for a vault that is to be encrypted with this password, or in place of ' +
      'the present one of an encrypted vault with this password. Nothing changes until it is typed back.',
  }),
  replaceRecoveryKey: endpoint({
    method: 'PUT',
    path: '/api/vault-encryption/recovery-key',
    access: 'admin',
    audit: 'vault.recovery_key',
    body: recoveryKey,
    reply: overview,
    errors: [
      'vault.not_encrypted',
      'vault.recovery_key_differs',
      'vault.recovery_key_expired',
      'vault.encryption_here_only',
    ],
    summary: 'Replaces the recovery key by the one that was shown; the previous one does not open the vault any more.',
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/vault-encryption/password',
    access: 'admin',
    audit: 'vault.password',
    body: z.strictObject({ secret, password: newPassword }),
    reply: overview,
    errors: ['vault.not_encrypted', 'vault.wrong_password', 'vault.unlock_limited', 'vault.encryption_here_only'],
    summary: 'Changes the password of an encrypted vault by the present one or by the recovery key.',
  }),
  encrypt: endpoint({
    method: 'POST',
    path: '/api/vault-encryption/encrypt',
    access: 'admin',
    audit: 'vault.encrypt',
    status: 202,
    body: recoveryKey,
    reply: overview,
    errors: [
      'vault.already_encrypted',
      'vault.recovery_key_differs',
      'vault.recovery_key_expired',
      'vault.encryption_here_only',
      'vault.cannot_switch_here',
      'vault.busy',
      'vault.closing',
    ],
    summary:
      'Closes the vault, encrypts it under the password and the recovery key that was shown, and opens it again. ' +
      'GET /api/vault-lock reports how far that is.',
  }),
  decrypt: endpoint({
    method: 'POST',
    path: '/api/vault-encryption/decrypt',
    access: 'admin',
    audit: 'vault.decrypt',
    status: 202,
    body: z.strictObject({ secret }),
    reply: overview,
    errors: [
      'vault.not_encrypted',
      'vault.wrong_password',
      'vault.unlock_limited',
      'vault.encryption_here_only',
      'vault.cannot_switch_here',
      'vault.busy',
      'vault.closing',
    ],
    summary: 'Closes the vault, decrypts it, and opens it again. Takes the password or the recovery key.',
  }),
  turnKeychainOn: endpoint({
    method: 'PUT',
    path: '/api/vault-encryption/keychain',
    access: 'admin',
    audit: 'vault.keychain_on',
    body: z.strictObject({ secret }),
    reply: overview,
    errors: [
      'vault.not_encrypted',
      'vault.no_keychain',
      'vault.wrong_password',
      'vault.unlock_limited',
      'vault.encryption_here_only',
    ],
    summary:
      'Lets the keychain of the computer that Hearth runs on open the encrypted vault when the program starts. Takes ' +
      'the password or the recovery key.',
  }),
  turnKeychainOff: endpoint({
    method: 'DELETE',
    path: '/api/vault-encryption/keychain',
    access: 'admin',
    audit: 'vault.keychain_off',
    reply: overview,
    errors: ['vault.not_encrypted'],
    summary: 'Removes what the keychain keeps, so that the vault is opened only by its password again.',
  }),
  presence: endpoint({
    method: 'POST',
    path: '/api/vault-encryption/presence',
    access: 'session',
    reply: 'empty',
    summary: 'Says that a person uses a window, so that the vault is not locked as idle.',
  }),
} as const;

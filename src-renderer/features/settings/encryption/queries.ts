import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EncryptionOverview } from '../../../../src-shared/contract/vault-encryption.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { waitUntilClosed } from '../../../client/encryption.ts';
import { useToasts } from '../../../client/toasts.tsx';

/** Makes a recovery key under a password. */
export const useMakeRecoveryKey = () =>
  useMutation({
    mutationFn: (password: string) => call(contract.vaultEncryption.makeRecoveryKey, { body: { password } }),
    // Nothing of it stays once the page is left.
    gcTime: 0,
  });

/** Encrypts the vault with the recovery key that was typed back; the lock shows how far that is. */
export const useEncrypt = () =>
  useMutation({
    gcTime: 0,
    mutationFn: async (recovery_key: string): Promise<void> => {
      await call(contract.vaultEncryption.encrypt, { body: { recovery_key } });
      await waitUntilClosed();
      location.reload();
    },
  });

/** Decrypts the vault with its password. */
export const useDecrypt = () =>
  useMutation({
    gcTime: 0,
    mutationFn: async (secret: string): Promise<void> => {
      await call(contract.vaultEncryption.decrypt, { body: { secret } });
      await waitUntilClosed();
      location.reload();
    },
  });

type Changed = 'password_changed' | 'recovery_changed' | 'keychain_was_on' | 'keychain_was_off';

/**
 * A change of what opens the vault, which can't be undone: the previous password or recovery key is not known any
 * more.
 */
function useKeyChange<T>(change: (input: T) => Promise<EncryptionOverview>, text: Changed) {
  const client = useQueryClient();
  const { show } = useToasts();
  return useMutation({
    gcTime: 0,
    mutationFn: change,
    onSuccess(overview) {
      client.setQueryData(cacheKeys.encryption, overview);
      show({ text: ({ t }) => t(text, { ns: 'encryption' }) });
    },
  });
}

export const useReplaceRecoveryKey = () =>
  useKeyChange(
    (recovery_key: string) => call(contract.vaultEncryption.replaceRecoveryKey, { body: { recovery_key } }),
    'recovery_changed',
  );

export const useChangePassword = () =>
  useKeyChange(
    (body: { secret: string; password: string }) => call(contract.vaultEncryption.changePassword, { body }),
    'password_changed',
  );

/** Lets the keychain of this computer open the vault. */
export const useTurnKeychainOn = () =>
  useKeyChange(
    (secret: string) => call(contract.vaultEncryption.turnKeychainOn, { body: { secret } }),
    'keychain_was_on',
  );

export const useTurnKeychainOff = () =>
  useKeyChange<void>(() => call(contract.vaultEncryption.turnKeychainOff, {}), 'keychain_was_off');

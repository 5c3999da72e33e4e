import type { vaultEncryption as contract } from '../../../src-shared/contract/vault-encryption.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { VaultEncryption } from './service.ts';

export const vaultEncryptionRoutes = (service: VaultEncryption): Handlers<typeof contract> => ({
  overview: () => service.overview(),
  lock: () => service.lock(),
  presence: () => service.notePresence(),
});

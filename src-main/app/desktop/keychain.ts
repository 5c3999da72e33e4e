import { safeStorage } from 'electron';
import type { Keychain } from '../../platform/secrets/service.ts';

/** The system's keychain; null where it has none, or only one with a password that everybody knows (Linux without a secret service). */
export function systemKeychain(): Keychain | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null;
  return { wrap: (text) => safeStorage.encryptString(text), unwrap: (wrapped) => safeStorage.decryptString(wrapped) };
}

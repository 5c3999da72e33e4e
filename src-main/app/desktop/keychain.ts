import { safeStorage } from 'electron';
import type { Keychain } from '../../platform/secrets/service.ts';

/**
 * The system's keychain; null when there is none, or only one with a well-known password (Linux without a secret
 * service).
 */
export function systemKeychain(): Keychain | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null;
  return { wrap: (text) => safeStorage.encryptString(text), unwrap: (wrapped) => safeStorage.decryptString(wrapped) };
}

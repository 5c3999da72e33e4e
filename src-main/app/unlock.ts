import { readFileSync } from 'node:fs';
import { vaultPasswordFile } from '../platform/config/load.ts';
import { RememberedKeyRefused, type RememberedKeys } from '../platform/secrets/remembered-keys.ts';
import { isUnlocked, readKeyFile, unlockVault, useVaultKeys } from '../platform/vault/unlock-vault.ts';

/** The password in the file that `HEARTH_VAULT_PASSWORD_FILE` names; null without such a file. */
export function passwordInFile(): string | null {
  const file = vaultPasswordFile();
  return file === null ? null : readFileSync(file, 'utf8').replace(/\r?\n$/, '');
}

/**
 * Unlocks an encrypted vault with the password in the file, or with what `ask` returns where there is no file; does
 * nothing if it is unlocked, or not encrypted. Throws `VaultLocked` and `VaultSwitching`.
 */
export async function unlockFromFile(
  root: string,
  ask: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<void> {
  const file = readKeyFile(root);
  if (file !== null && file.state !== 'on') throw new VaultSwitching(file.state);
  if (isUnlocked(root)) return;
  const password = passwordInFile() ?? (await ask());
  if (password === null || !(await unlockVault(root, password))) throw new VaultLocked();
}

/**
 * Unlocks an encrypted vault as `unlockFromFile` does, or with the keys that the keychain of this computer keeps where
 * no file has the password.
 */
export async function unlockAtStart(root: string, remembered: RememberedKeys | null): Promise<void> {
  const file = readKeyFile(root);
  if (remembered && file?.state === 'on' && vaultPasswordFile() === null && !isUnlocked(root))
    try {
      const keys = remembered.open(file);
      if (keys) useVaultKeys(root, file, keys);
    } catch (error) {
      if (error instanceof RememberedKeyRefused) throw new VaultLocked('vault.keychain_refused');
      throw error;
    }
  await unlockFromFile(root);
}

/** The vault is encrypted, and the password is missing or wrong. `code` is why the keychain did not help. */
export class VaultLocked extends Error {
  readonly code: 'vault.keychain_refused' | null;

  constructor(code: 'vault.keychain_refused' | null = null) {
    super(
      'This vault is encrypted. Write its password into a file and name it in HEARTH_VAULT_PASSWORD_FILE. If you did, ' +
        'check the password in it.',
    );
    this.name = 'VaultLocked';
    this.code = code;
  }
}

/** The vault was left while it was being encrypted or decrypted. */
export class VaultSwitching extends Error {
  constructor(state: 'encrypting' | 'decrypting') {
    const verb = state === 'encrypting' ? 'encrypt' : 'decrypt';
    super(`This vault is partly ${verb}ed, because that was interrupted. Finish it with: hearth vault ${verb}`);
    this.name = 'VaultSwitching';
  }
}

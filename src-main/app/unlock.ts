import { readFileSync } from 'node:fs';
import { vaultPasswordFile } from '../platform/config/load.ts';
import { isUnlocked, readKeyFile, unlockVault } from '../platform/vault/unlock-vault.ts';

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

/** The vault is encrypted, and the password is missing or wrong. */
export class VaultLocked extends Error {
  constructor() {
    super(
      'This vault is encrypted. Write its password into a file and name it in HEARTH_VAULT_PASSWORD_FILE. If you did, ' +
        'check the password in it.',
    );
    this.name = 'VaultLocked';
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

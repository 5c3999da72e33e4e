import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { vaultPasswordFile } from '../platform/config/load.ts';
import { parseKeyFile, unlockByPassword } from '../platform/sealed/key-file.ts';
import { setVaultKeys } from '../platform/kernel/process-keys.ts';
import { KEY_FILE } from '../platform/vault/switch-vault.ts';

/** Unlocks an encrypted vault with the password in the file that `HEARTH_VAULT_PASSWORD_FILE` names. */
export async function unlockFromFile(root: string): Promise<void> {
  const path = join(root, KEY_FILE);
  if (!existsSync(path)) return;
  const passwordFile = vaultPasswordFile();
  const password = passwordFile === null ? null : readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');
  const keys = password === null ? null : await unlockByPassword(parseKeyFile(readFileSync(path, 'utf8')), password);
  if (keys === null) throw new VaultLocked();
  // Files are named by the real path, the database by that of the configuration.
  for (const folder of new Set([root, realpathSync(root)])) setVaultKeys(folder, keys);
}

/** The vault is encrypted, and the password is missing or wrong. */
export class VaultLocked extends Error {
  constructor() {
    super('This vault is encrypted. Write its password into a file and name it in HEARTH_VAULT_PASSWORD_FILE.');
    this.name = 'VaultLocked';
  }
}

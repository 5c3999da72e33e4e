import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKeyFile, unlockByRecoveryKey } from '../../src-main/platform/sealed/key-file.ts';
import { decryptVault, encryptVault } from '../../src-main/platform/vault/switch-vault.ts';

/** Encrypts or decrypts the vault in a folder until it is done or killed: `FOLDER KEY-FILE RECOVERY-KEY on|off`. */
const [root = '', keyPath = '', recoveryKey = '', direction] = process.argv.slice(2);
const file = parseKeyFile(readFileSync(keyPath, 'utf8'));
const keys = unlockByRecoveryKey(file, recoveryKey);
if (keys === null) throw new Error(`The recovery key does not open ${join(root, 'vault-key.json')}.`);
process.stdout.write('begun\n');
for (const _step of (direction === 'on' ? encryptVault : decryptVault)(root, file, keys));

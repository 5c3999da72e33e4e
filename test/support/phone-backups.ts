import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { openBackup, type Backup, type BackupCrypto, type UnlockedBackup } from '../../src-shared/ios-backup/index.ts';
import { fileIdOf, generateBackup, type BackupSpec } from '../fixtures/ios-backup/generate.ts';

export const BACKUP_PASSWORD = 'Schlüssel';

export interface MadeBackup {
  folder: string;
  /** What the SQLite reader keeps while databases are open. */
  inSandbox(): string[];
  open(crypto?: BackupCrypto): Promise<Backup>;
}

/** Made-up backups in one temporary folder that `remove` clears away. */
export function backupShelf(): { make(spec: Omit<BackupSpec, 'folder'>): Promise<MadeBackup>; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'hearth-phone-'));
  let made = 0;
  return {
    async make(spec) {
      made += 1;
      const folder = join(root, `backup-${made}`),
        sandbox = join(root, `sandbox-${made}`);
      mkdirSync(sandbox);
      await generateBackup({ folder, ...spec });
      return {
        folder,
        inSandbox: () => readdirSync(sandbox),
        /** Databases of more than a few pages go through the sandbox, as large ones do. */
        open: (crypto = nodeCrypto) =>
          openBackup({ files: nodeBackupFiles(folder), sqlite: nodeSqlite(sandbox, 64 * 1024), crypto }),
      };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** All bytes of the entry at a domain and path. */
export async function bytesOf(backup: UnlockedBackup, domain: string, path: string): Promise<Buffer> {
  const content = await backup.content(fileIdOf(domain, path));
  return Buffer.from(await content.read(0, content.size));
}

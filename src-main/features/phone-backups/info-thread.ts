import { BackupError, openBackup, type SqliteReader } from '../../../src-shared/ios-backup/index.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { serveTasks } from '../../platform/kernel/serve-tasks.ts';
import { nodeCrypto } from './adapters/crypto.ts';
import { nodeBackupFiles } from './adapters/files.ts';

/** Thread that reads the unencrypted files of backups, for the list of backups. */

/** Reading them needs no database. */
const NO_SQLITE: SqliteReader = {
  open: () => Promise.reject(new Error('A locked backup has no readable databases.')),
};

serveTasks(async ({ folder }: { folder: string }) => {
  try {
    const { info } = await openBackup({ files: nodeBackupFiles(folder), sqlite: NO_SQLITE, crypto: nodeCrypto });
    return { value: info };
  } catch (error) {
    const isUnreadable = error instanceof BackupError || (error as NodeJS.ErrnoException).code !== undefined;
    throw isUnreadable ? fail('phone.backup_unreadable', undefined, error) : error;
  }
});

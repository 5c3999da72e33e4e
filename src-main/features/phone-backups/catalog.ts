import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { nodeBackupFiles } from './adapters/files.ts';
import { backupsIn, discover, type FolderState } from './discover.ts';
import type { InfoReader } from './info-reader.ts';
import type { PhoneBackupRepository, PhoneBackupRow } from './repository.ts';
import { rowOf } from './summaries.ts';

/** The folder of a backup, for readers outside this service. */
export interface BackupFolder {
  id: string;
  /** Absolute path, only for programs of this computer. */
  path: string;
  /** Reads this folder and nothing outside it. */
  files: BackupFiles;
}

/** The backups that were found in the configured folder. */
export class BackupCatalog {
  readonly #repository: PhoneBackupRepository;
  readonly #base: string;
  readonly #now: () => string;
  readonly #infoReader: InfoReader;
  #folderState: FolderState | null = null;
  #scan: Promise<void> | null = null;

  constructor(repository: PhoneBackupRepository, infoReader: InfoReader, base: string, now: () => string) {
    this.#repository = repository;
    this.#infoReader = infoReader;
    this.#base = base;
    this.#now = now;
  }

  /** Throws `phone.not_found`. */
  requireBackup(id: string): PhoneBackupRow {
    const row = this.#repository.get(id);
    if (!row) throw fail('phone.not_found');
    return row;
  }

  get folderState(): FolderState {
    return this.#folderState ?? 'readable';
  }

  /** Searches the folder for backups. A call during a search joins it. */
  scan(): Promise<void> {
    const knownIds = new Map(this.#repository.list().map(({ folder, id }) => [folder, id]));
    this.#scan ??= discover(this.#base, this.#infoReader.read, knownIds)
      .then(({ state, backups }) => {
        this.#folderState = state;
        this.#repository.replaceFound(backups.map((backup) => rowOf(backup, this.#now())));
      })
      .finally(() => {
        this.#scan = null;
      });
    return this.#scan;
  }

  /** Searches the folder if no backups are known and it was not searched yet. */
  async scanOnce(): Promise<void> {
    if (this.#folderState === null && this.#repository.list().length === 0) await this.scan();
  }

  /** The folders of known backups. */
  async folders(): Promise<BackupFolder[]> {
    await this.scanOnce();
    return this.#repository
      .list()
      .filter(({ is_missing: isMissing }) => !isMissing)
      .map(({ id, folder }) => folderOf(id, folder));
  }

  /** The folders of backups in another folder, which the user selected; they are not added to the catalog. */
  static async foldersIn(folder: string): Promise<BackupFolder[]> {
    return (await backupsIn(folder)).map(({ id, path }) => folderOf(id, path));
  }
}

const folderOf = (id: string, path: string): BackupFolder => ({ id, path, files: nodeBackupFiles(path) });

import { dirname } from 'node:path';
import type { PhoneFolder } from '../../../src-shared/contract/bridge.ts';
import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import type { BackupFolder } from '../../features/phone-backups/service.ts';
import type { BridgeHandlers } from './bridge.ts';

export interface PhoneFoldersDeps {
  phones: {
    folders(): Promise<BackupFolder[]>;
    foldersIn(folder: string): Promise<BackupFolder[]>;
    baseDirectory: string;
  };
  /** The dialog of the system, beginning at a folder; null when it was closed. */
  chooseFolder(start: string): Promise<string | null>;
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): void;
  ids(): string;
}

export interface PhoneFolders {
  handlers: BridgeHandlers;
  /** What reads the folder of a key; null for a key that was never given. */
  filesOf(key: string): BackupFiles | null;
}

/** The folders of phone backups that the page may read: those that main found, and those that a person chose in main's own dialog. */
export function createPhoneFolders({ phones, chooseFolder, reveal, ids }: PhoneFoldersDeps): PhoneFolders {
  const byKey = new Map<string, BackupFolder>();
  const keys = new Map<string, string>();
  let lastChosen: string | null = null;
  const told = (folders: readonly BackupFolder[]): PhoneFolder[] =>
    folders.map((folder) => {
      const key = keys.get(folder.path) ?? ids();
      keys.set(folder.path, key);
      byKey.set(key, folder);
      return { key, id: folder.id };
    });
  return {
    handlers: {
      phoneFolders: async () => ({ folders: told(await phones.folders()) }),
      async choosePhoneFolder() {
        const chosen = await chooseFolder(lastChosen ?? phones.baseDirectory);
        if (chosen === null) return { folders: null };
        lastChosen = dirname(chosen);
        return { folders: told(await phones.foldersIn(chosen)) };
      },
      revealPhoneFolder({ key }) {
        const folder = byKey.get(key);
        if (!folder) return 'unknown_folder';
        reveal(folder.path);
        return {};
      },
    },
    filesOf: (key) => byKey.get(key)?.files ?? null,
  };
}

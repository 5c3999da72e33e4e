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
  /** Opens the system's folder dialog at a folder; null when it was canceled. */
  chooseFolder(start: string): Promise<string | null>;
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): void;
  ids(): string;
}

export interface PhoneFolders {
  handlers: BridgeHandlers;
  /** Returns the files of the folder with this key; null for an unknown key. */
  filesOf(key: string): BackupFiles | null;
}

/** The phone-backup folders that the page may read: those found by main, and those selected in main's own dialog. */
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

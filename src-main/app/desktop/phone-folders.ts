import { dirname } from 'node:path';
import type { PhoneFolder } from '../../../src-shared/contract/bridge.ts';
import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';
import type { BackupFolder } from '../../features/phone-backups/service.ts';
import type { BridgeHandlers } from './bridge.ts';

export interface PhoneFoldersDeps {
  phones: {
    folders(): Promise<BackupFolder[]>;
    foldersIn(folder: string): Promise<BackupFolder[]>;
    baseDirectory(): string;
  };
  /** Opens the system's folder dialog at a folder; null when it was canceled. */
  chooseFolder(start: string): Promise<string | null>;
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): void;
  ids(): string;
}

export interface PhoneFolders {
  handlers: Pick<BridgeHandlers, 'phoneFolders' | 'choosePhoneFolder' | 'revealPhoneFolder'>;
  /** Returns the files of the folder with this key; null for an unknown key. */
  filesOf(key: string): BackupFiles | null;
}

/** The phone-backup folders that the page may read: those found by main, and those selected in main's own dialog. */
export function createPhoneFolders({ phones, chooseFolder, reveal, ids }: PhoneFoldersDeps): PhoneFolders {
  const byKey = new Map<string, BackupFolder>();
  const keys = new Map<string, string>();
  let lastParent: string | null = null;
  const withKeys = (folders: readonly BackupFolder[]): PhoneFolder[] =>
    folders.map((folder) => {
      const key = keys.get(folder.path) ?? ids();
      keys.set(folder.path, key);
      byKey.set(key, folder);
      return { key, id: folder.id };
    });
  return {
    handlers: {
      phoneFolders: async () => ({ folders: withKeys(await phones.folders()) }),
      async choosePhoneFolder() {
        const path = await chooseFolder(lastParent ?? phones.baseDirectory());
        if (path === null) return { folders: null };
        lastParent = dirname(path);
        return { folders: withKeys(await phones.foldersIn(path)) };
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

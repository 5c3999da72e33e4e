import { BackupError } from '../errors.ts';
import type { BackupFiles } from '../ports.ts';
import type { UnlockedBackup } from '../unlocked-backup.ts';
import type { ArtifactSource, FileRef } from './source.ts';

/** Entries per request. */
const PAGE = 50_000;
/** Info.plist with icons of 500 apps stays under 30 MB. */
const MAX_INFO = 128 * 2 ** 20;
/** Errors of databases and files that a backup may lack: the readers then have nothing to read. */
const ABSENT = new Set(['unknown_entry', 'missing_blob', 'not_a_file', 'needs_device']);

async function absent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BackupError && ABSENT.has(error.code)) return null;
    throw error;
  }
}

/** An open backup as the readers of artifacts see it. `files` is its folder, for the plain Info.plist. */
export function artifactSource(backup: UnlockedBackup, files: BackupFiles): ArtifactSource {
  const known = new Map<string, Promise<ReadonlyMap<string, FileRef>>>();
  async function filesOf(domain: string): Promise<ReadonlyMap<string, FileRef>> {
    const found = new Map<string, FileRef>();
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await backup.entries({ domain, limit: PAGE, offset });
      for (const { kind, relativePath, fileId, size } of items)
        if (kind === 'file') found.set(relativePath, { file_id: fileId, size });
      if (items.length < PAGE) return found;
    }
  }
  return {
    database: (domain, path) => absent(backup.openDatabase(domain, path)),
    async file(domain, path, most) {
      const entry = backup.find(domain, path);
      const content = entry && (await absent(backup.content(entry.fileId)));
      return content && content.size <= most ? content.read(0, content.size) : null;
    },
    files(domain) {
      const files_ = known.get(domain) ?? filesOf(domain);
      known.set(domain, files_);
      return files_;
    },
    domains: () => Promise.resolve(backup.domains()),
    async info() {
      const size = await files.size('Info.plist');
      return size === null || size > MAX_INFO ? null : files.readRange('Info.plist', 0, size);
    },
  };
}

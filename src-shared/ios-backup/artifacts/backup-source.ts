import { BackupError } from '../errors.ts';
import type { BackupFiles } from '../ports.ts';
import type { UnlockedBackup } from '../unlocked-backup.ts';
import type { ArtifactSource, FileRef } from './source.ts';

/** Entries per request. */
const PAGE_SIZE = 50_000;
/** Info.plist with icons of 500 apps stays under 30 MB. */
const MAX_INFO_BYTES = 128 * 2 ** 20;
/** Errors that mean that the backup lacks a database or file, so that a reader has nothing to read. */
const MISSING_CODES = new Set(['unknown_entry', 'missing_blob', 'not_a_file', 'needs_device']);

/** Converts the errors for missing files to null. */
async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BackupError && MISSING_CODES.has(error.code)) return null;
    throw error;
  }
}

/** Adapts an unlocked backup for the artifact readers. `files` is its folder, for the unencrypted Info.plist. */
export function artifactSource(backup: UnlockedBackup, files: BackupFiles): ArtifactSource {
  const filesByDomain = new Map<string, Promise<ReadonlyMap<string, FileRef>>>();
  async function filesOf(domain: string): Promise<ReadonlyMap<string, FileRef>> {
    const byPath = new Map<string, FileRef>();
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const { items } = await backup.entries({ domain, limit: PAGE_SIZE, offset });
      for (const { kind, relativePath, fileId, size } of items)
        if (kind === 'file') byPath.set(relativePath, { file_id: fileId, size });
      if (items.length < PAGE_SIZE) return byPath;
    }
  }
  return {
    database: (domain, path) => nullIfMissing(backup.openDatabase(domain, path)),
    async file(domain, path, maxBytes) {
      const entry = backup.find(domain, path);
      const content = entry && (await nullIfMissing(backup.content(entry.fileId)));
      return content && content.size <= maxBytes ? content.read(0, content.size) : null;
    },
    files(domain) {
      const result = filesByDomain.get(domain) ?? filesOf(domain);
      filesByDomain.set(domain, result);
      return result;
    },
    domains: () => Promise.resolve(backup.domains()),
    async info() {
      const size = await files.size('Info.plist');
      return size === null || size > MAX_INFO_BYTES ? null : files.readRange('Info.plist', 0, size);
    },
  };
}

import { existsSync } from 'node:fs';
import { SearchSyntaxError } from '../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import { createIndexReader, type IndexReader } from '../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { INDEX_VERSION } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import { openVaultDatabase } from '../../platform/database/encryption.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { asIndexDatabase } from './index-writer.repository.ts';

/**
 * Opens the index of a backup for reading, also while it is being written; null if there is none or another version
 * wrote it. Lists and searches throw `search.syntax`.
 */
export function openIndexReader(file: string): IndexReader | null {
  if (!existsSync(file)) return null;
  const db = openVaultDatabase(file, { readonly: true });
  if (db.pragma('user_version', { simple: true }) !== INDEX_VERSION) {
    db.close();
    return null;
  }
  const reader = createIndexReader(asIndexDatabase(db));
  return {
    ...reader,
    list: (...args) => withSyntaxFailure(() => reader.list(...args)),
    search: (...args) => withSyntaxFailure(() => reader.search(...args)),
  };
}

function withSyntaxFailure<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SearchSyntaxError ? fail('search.syntax') : error;
  }
}

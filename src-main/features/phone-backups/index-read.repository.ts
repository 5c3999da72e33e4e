import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { SearchSyntaxError } from '../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import { createIndexReader, type IndexReader } from '../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { INDEX_VERSION } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { indexDatabase } from './index-database.repository.ts';

/** The index of a backup for reading, beside whoever writes it; null when there is none, or one that another version wrote. Throws `search.syntax`. */
export function openIndexReader(file: string): IndexReader | null {
  if (!existsSync(file)) return null;
  const db = new Sqlite(file, { readonly: true });
  if (db.pragma('user_version', { simple: true }) !== INDEX_VERSION) {
    db.close();
    return null;
  }
  const reader = createIndexReader(indexDatabase(db));
  const asked = <T>(question: () => T): T => {
    try {
      return question();
    } catch (error) {
      throw error instanceof SearchSyntaxError ? fail('search.syntax') : error;
    }
  };
  return {
    ...reader,
    list: (...args) => asked(() => reader.list(...args)),
    search: (...args) => asked(() => reader.search(...args)),
  };
}

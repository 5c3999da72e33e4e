import { openVaultDatabase } from './encryption.ts';
import { applyPragmas, pendingMigrations, wrapConnection, type Database } from './connection.ts';

/** Two connections to one vault, for those who mostly read. */
export interface SplitDatabase {
  /** Can't write: what recipients of shares and assistants read is read with it. */
  reader: Database;
  /** Writes the audit log, and sessions and codes of recipients. */
  writer: Database;
  close(): void;
}

/** A small cache is enough for the few documents of a share or of an answer. */
const READER_CACHE_KIB = 4000;

/**
 * Opens a database that another process may have open, too. It is neither created nor migrated.
 * @throws if its version is not the one of this program
 */
export function openSplitDatabase(file: string): SplitDatabase {
  const writer = openVaultDatabase(file, { fileMustExist: true });
  applyPragmas(writer);
  if (pendingMigrations(writer).due > 0) {
    writer.close();
    throw new OlderDatabaseError();
  }
  const reader = openVaultDatabase(file, { readonly: true, fileMustExist: true });
  reader.pragma('busy_timeout = 10000');
  reader.pragma('query_only = ON');
  reader.pragma('temp_store = MEMORY');
  reader.pragma(`cache_size = -${READER_CACHE_KIB}`);
  reader.pragma('trusted_schema = OFF');
  const connections = { reader: wrapConnection(reader), writer: wrapConnection(writer) };
  return {
    ...connections,
    close() {
      connections.reader.close();
      connections.writer.close();
    },
  };
}

/** The vault was last opened by an older version of the program. */
export class OlderDatabaseError extends Error {
  constructor() {
    super('This vault was last opened by an older version of Hearth. Open Hearth on it once, then try again.');
    this.name = 'OlderDatabaseError';
  }
}

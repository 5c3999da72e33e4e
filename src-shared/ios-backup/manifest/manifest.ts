import type { EntryIndex } from './entry-index.ts';
import type { FileRecord } from './file-record.ts';

/** An open manifest, of either format: Manifest.db or Manifest.mbdb. */
export interface Manifest {
  index: EntryIndex;
  /** Reads the record of an entry. Throws `damaged_record`. */
  record(fileId: string): Promise<FileRecord>;
  close(): Promise<void>;
}

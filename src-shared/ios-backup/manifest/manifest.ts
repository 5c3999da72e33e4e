import type { EntryIndex } from './entry-index.ts';
import type { FileRecord } from './file-record.ts';

/** A manifest that is open: its entries, and the record of one of them. Manifest.db and Manifest.mbdb both become this. */
export interface Manifest {
  index: EntryIndex;
  /** Throws `damaged_manifest` when the record itself is broken. */
  record(fileId: string): Promise<FileRecord>;
  close(): Promise<void>;
}

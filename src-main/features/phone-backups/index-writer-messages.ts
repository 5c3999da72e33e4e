import type { ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { EncodedRows } from '../../../src-shared/ios-backup/artifacts/index-store/row-encoding.ts';
import type { StoredTable } from '../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';

/** A request to the thread of an index writer. */
export type IndexRequest =
  | { action: 'begin'; artifact: ArtifactName }
  | { action: 'add'; rows: EncodedRows }
  | { action: 'commit' | 'setState'; state: ArtifactState }
  | { action: 'rollback' | 'close' };

/**
 * The thread receives the tables, because loading the schemas from which they are derived would take as much memory as
 * the rows.
 */
export interface WriterData {
  file: string;
  tables: readonly StoredTable[];
}
export type ToWriter = IndexRequest & { id: number };
export interface FromWriter {
  id: number;
  failure: unknown;
}

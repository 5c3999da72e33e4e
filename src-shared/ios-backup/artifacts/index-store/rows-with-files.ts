import type { RowsByTable } from '../../../contract/phone-backups/artifact-table.ts';
import type { TableWithFiles } from '../suggestions.ts';
import type { IndexReader, ListOptions } from './reader.ts';

const WITH_ATTACHMENTS = { where: [{ sql: 't.has_attachments = 1', values: [] }], order: 't.sent_at DESC, t.id' };
/** Which rows of a table may have files, newest first. */
const OPTIONS: { [T in TableWithFiles]: ListOptions } = {
  messages: WITH_ATTACHMENTS,
  chat_messages: WITH_ATTACHMENTS,
  notes: {},
  photos: { where: [{ sql: "t.media_type = 'photo' AND t.file_id IS NOT NULL", values: [] }] },
};

/** Rows of the index that may have files; none without an index. */
export const rowsWithFiles =
  (reader: IndexReader | null) =>
  <T extends TableWithFiles>(table: T, limit: number): readonly RowsByTable[T][] =>
    reader?.list(table, { limit, offset: 0 }, OPTIONS[table]).items ?? [];

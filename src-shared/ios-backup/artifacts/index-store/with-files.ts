import type { RowsByTable } from '../source.ts';
import type { SuggestionSource } from '../suggestions.ts';
import type { Filter, IndexReader } from './reader.ts';

type Looked = Parameters<SuggestionSource['rows']>[0];
const WITH_FILES = { where: [{ sql: 't.has_attachments = 1', values: [] }], order: 't.sent_at DESC, t.id' };
/** What of a table may hold files, newest first. */
const LISTED: { [T in Looked]: { where?: Filter[]; order?: string } } = {
  messages: WITH_FILES,
  chat_messages: WITH_FILES,
  notes: {},
  photos: { where: [{ sql: "t.media_type = 'photo' AND t.file_id IS NOT NULL", values: [] }] },
};

/** Rows of the index that may hold files; none without an index. */
export const rowsWithFiles =
  (reader: IndexReader | null) =>
  <T extends Looked>(table: T, most: number): readonly RowsByTable[T][] =>
    reader?.list(table, { limit: most, offset: 0 }, LISTED[table]).items ?? [];

import type { SmallFile } from '../../src-shared/ios-backup/artifacts/paper-guesses.ts';
import type { RowsByTable } from '../../src-shared/ios-backup/artifacts/source.ts';
import type { SuggestionSource } from '../../src-shared/ios-backup/artifacts/suggestions.ts';
import type { Filter, IndexReader } from './index-read.repository.ts';
import type { OpenThread } from './open-thread.ts';

type Looked = Parameters<SuggestionSource['rows']>[0];
const WITH_FILES = { where: [{ sql: 't.has_attachments = 1', values: [] }], order: 't.sent_at DESC, t.id' };
/** What of a table may hold files, newest first. */
const LISTED: { [T in Looked]: { where?: Filter[]; order?: string } } = {
  messages: WITH_FILES, chat_messages: WITH_FILES, notes: {}, photos: { where: [{ sql: "t.media_type = 'photo' AND t.file_id IS NOT NULL", values: [] }] },
};

/** Rows of the index that may hold files; none without an index. */
export const rowsWithFiles = (reader: IndexReader | null) => <T extends Looked>(table: T, most: number): readonly RowsByTable[T][] => reader?.list(table, { limit: most, offset: 0 }, LISTED[table]).items ?? [];

/** Small files of an open backup. */
export const smallFiles = (thread: OpenThread): SmallFile => async (fileId, most) => {
  try {
    const { contentSize } = await thread.call('entry', { fileId });
    return contentSize > most ? null : await thread.call('range', { fileId, start: 0, end: contentSize });
  } catch (error) {
    if ((error as { code?: string }).code === 'phone.session_invalid') throw error;
    // A picture that is not in the backup, or not readable without the phone, is nothing to look at.
    return null;
  }
};

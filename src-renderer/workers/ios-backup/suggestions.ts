import type { PaperShare, SmallFile } from '../../../src-shared/ios-backup/artifacts/paper-guesses.ts';
import { createPaperGuesses } from '../../../src-shared/ios-backup/artifacts/paper-guesses.ts';
import type { RowsByTable } from '../../../src-shared/ios-backup/artifacts/source.ts';
import { suggest, type SuggestionSource } from '../../../src-shared/ios-backup/artifacts/suggestions.ts';
import { BackupError, type UnlockedBackup } from '../../../src-shared/ios-backup/index.ts';
import type { Suggestion } from '../../../src-shared/contract/phone-backups.ts';
import type { ArtifactStore } from './artifact-store.ts';

type Looked = Parameters<SuggestionSource['rows']>[0];
const atOf: { [T in Looked]: (row: RowsByTable[T]) => string | null } = { messages: (row) => row.sent_at, chat_messages: (row) => row.sent_at, notes: (row) => row.last_modified_at, photos: (row) => row.taken_at };
const holds: { [T in Looked]: (row: RowsByTable[T]) => boolean } = { messages: (row) => row.has_attachments, chat_messages: (row) => row.has_attachments, notes: (row) => row.attachments.length > 0, photos: (row) => row.media_type === 'photo' && row.file_id !== null };

/** Files of an open backup that look medical. What pictures look like is guessed once while it is open. */
export function createSuggestions(backup: UnlockedBackup, store: ArtifactStore, paperShare: PaperShare) {
  const guess = createPaperGuesses(paperShare);
  const read: SmallFile = async (fileId, most) => {
    try {
      const content = await backup.content(fileId);
      return content.size > most ? null : await content.read(0, content.size);
    } catch (error) {
      if (error instanceof BackupError && error.code === 'locked') throw error;
      // A picture that is not in the backup, or not readable without the phone, is nothing to look at.
      return null;
    }
  };
  /** `looksFurther`: pictures that nobody looked at yet are looked at, some of them. */
  return (looksFurther: boolean, signal?: AbortSignal): Promise<Suggestion[]> => suggest({
    async rows(table, most) {
      const rows = (await store.rows(table)).filter(holds[table]), at = atOf[table];
      return rows.sort((a, b) => (at(b) ?? '').localeCompare(at(a) ?? '')).slice(0, most);
    },
    entries: (query) => backup.entries(query),
    lookAt: (pictures) => guess('', read, looksFurther ? pictures : [], signal),
    sent: new Map(),
  });
}

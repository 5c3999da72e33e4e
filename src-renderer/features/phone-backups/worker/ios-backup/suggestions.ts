import type { PaperShare, SmallFile } from '../../../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import { createPaperGuesses } from '../../../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import { suggest, type SuggestionSource } from '../../../../../src-shared/ios-backup/artifacts/suggestions.ts';
import { BackupError, type UnlockedBackup } from '../../../../../src-shared/ios-backup/index.ts';
import { rowsWithFiles } from '../../../../../src-shared/ios-backup/artifacts/index-store/with-files.ts';
import type { ArtifactName } from '../../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Suggestion } from '../../../../../src-shared/contract/phone-backups/service.ts';
import type { ArtifactStore } from './artifact-store.ts';

/** Which artifact the rows come from. */
const ARTIFACT_OF: { [T in Parameters<SuggestionSource['rows']>[0]]: ArtifactName } = {
  messages: 'messages',
  chat_messages: 'whatsapp',
  notes: 'notes',
  photos: 'photos',
};

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
  return (looksFurther: boolean, signal?: AbortSignal): Promise<Suggestion[]> =>
    suggest({
      rows: async (table, most) => rowsWithFiles(await store.reader(ARTIFACT_OF[table]))(table, most),
      entries: (query) => backup.entries(query),
      lookAt: (pictures) => guess('', read, looksFurther ? pictures : [], signal),
      sent: new Map(),
    });
}

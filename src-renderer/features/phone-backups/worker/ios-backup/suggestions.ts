import { ARTIFACT_OF_TABLE } from '../../../../../src-shared/contract/phone-backups/artifact-table.ts';
import type { Suggestion } from '../../../../../src-shared/contract/phone-backups/service.ts';
import {
  createImageClassifier,
  type DocumentLikelihood,
  type ReadSmallFile,
} from '../../../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import { rowsWithFiles } from '../../../../../src-shared/ios-backup/artifacts/index-store/rows-with-files.ts';
import { suggest } from '../../../../../src-shared/ios-backup/artifacts/suggestions.ts';
import { BackupError, type UnlockedBackup } from '../../../../../src-shared/ios-backup/index.ts';
import type { ArtifactStore } from './artifact-store.ts';

/** Lists files that look medical. With `classifiesMore`, some images that were not classified yet are. */
export type SuggestMedicalFiles = (classifiesMore: boolean, signal?: AbortSignal) => Promise<Suggestion[]>;

/** Suggests medical files of an open backup. Each image is classified once while the backup is open. */
export function createSuggestions(
  backup: UnlockedBackup,
  store: ArtifactStore,
  documentLikelihood: DocumentLikelihood,
): SuggestMedicalFiles {
  const classify = createImageClassifier(documentLikelihood);
  const read = smallFileReader(backup);
  return (classifiesMore, signal) =>
    suggest({
      rows: async (table, limit) => rowsWithFiles(await store.reader(ARTIFACT_OF_TABLE[table]))(table, limit),
      entries: (query) => backup.entries(query),
      classify: (pictures) => classify('', read, classifiesMore ? pictures : [], signal),
      sent: new Map(),
    });
}

const smallFileReader =
  (backup: UnlockedBackup): ReadSmallFile =>
  async (fileId, maxBytes) => {
    try {
      const content = await backup.content(fileId);
      return content.size > maxBytes ? null : await content.read(0, content.size);
    } catch (error) {
      if (error instanceof BackupError && error.code === 'locked') throw error;
      // The image is missing from the backup, or its key never leaves the phone.
      return null;
    }
  };

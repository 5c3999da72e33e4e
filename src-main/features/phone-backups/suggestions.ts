import type { SmallFile } from '../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import type { OpenThread } from './open-thread.ts';

/** Small files of an open backup. */
export const smallFiles =
  (thread: OpenThread): SmallFile =>
  async (fileId, most) => {
    try {
      const { contentSize } = await thread.call('entry', { fileId });
      return contentSize > most ? null : await thread.call('range', { fileId, start: 0, end: contentSize });
    } catch (error) {
      if ((error as { code?: string }).code === 'phone.session_invalid') throw error;
      // A picture that is not in the backup, or not readable without the phone, is nothing to look at.
      return null;
    }
  };

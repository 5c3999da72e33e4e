import type { ReadSmallFile } from '../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import type { OpenThread } from './open-thread.ts';

/** Reads small files of an open backup. */
export const smallFileReader =
  (thread: OpenThread): ReadSmallFile =>
  async (fileId, maxBytes) => {
    try {
      const { contentSize } = await thread.call('entry', { fileId });
      return contentSize > maxBytes ? null : await thread.call('range', { fileId, start: 0, end: contentSize });
    } catch (error) {
      if ((error as { code?: string }).code === 'phone.session_invalid') throw error;
      // The image is missing from the backup, or its key never leaves the phone.
      return null;
    }
  };

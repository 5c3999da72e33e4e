import { createHash } from 'node:crypto';
import type { OpenThread } from './open-thread.ts';

/** Pictures of a backup that are looked at for one list; the newest first. What was seen is remembered, so that the next list sees further. */
const LOOKED_AT = 150;
/** Larger ones are films or panoramas, and cost more than a guess is worth. */
const MAX_BYTES = 12 * 2 ** 20;
const CAMERA = 'CameraRollDomain';

export interface Picture { file_id: string; domain: string; relative_path: string }

/** The small picture that Photos keeps of each photo, as an id of the manifest. */
const thumbnailOf = (path: string): string => createHash('sha1').update(`${CAMERA}-Media/PhotoData/Thumbnails/V2/${path.replace(/^Media\//, '')}/5005.JPG`).digest('hex');

/** How much pictures look like pages of print, by file; guessed once while the program runs. */
export function createPaperGuesses(paperShare: (data: Uint8Array) => Promise<number | null>) {
  const guesses = new Map<string, number | null>();
  const bytesOf = async (thread: OpenThread, fileId: string): Promise<Uint8Array | null> => {
    try {
      const { contentSize } = await thread.call('entry', { fileId });
      return contentSize > MAX_BYTES ? null : await thread.call('range', { fileId, start: 0, end: contentSize });
    } catch (error) {
      if ((error as { code?: string }).code === 'phone.session_invalid') throw error;
      // A picture that is not in the backup, or not readable without the phone, is nothing to look at.
      return null;
    }
  };
  return async (backupId: string, thread: OpenThread, pictures: readonly Picture[]): Promise<(fileId: string) => number | null> => {
    const keyOf = (fileId: string): string => `${backupId}\0${fileId}`;
    let looked = 0;
    for (const { file_id, domain, relative_path } of pictures) {
      if (looked >= LOOKED_AT) break;
      if (guesses.has(keyOf(file_id))) continue;
      looked += 1;
      const bytes = (domain === CAMERA ? await bytesOf(thread, thumbnailOf(relative_path)) : null) ?? await bytesOf(thread, file_id);
      guesses.set(keyOf(file_id), bytes === null ? null : await paperShare(bytes));
    }
    return (fileId) => guesses.get(keyOf(fileId)) ?? null;
  };
}

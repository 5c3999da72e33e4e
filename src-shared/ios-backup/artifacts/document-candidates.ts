import { webCrypto } from '../web-crypto.ts';

/** Pictures of a backup that are looked at for one list; the newest first. What was seen is remembered, so that the next list sees further. */
const LOOKED_AT = 150;
/** Larger ones are films or panoramas, and cost more than a guess is worth. */
const MAX_BYTES = 12 * 2 ** 20;
const CAMERA = 'CameraRollDomain';

export interface Picture {
  file_id: string;
  domain: string;
  relative_path: string;
}
/** The bytes of a file of at most `most`; null of one that is larger, not in the backup, or not readable without the phone. */
export type SmallFile = (fileId: string, most: number) => Promise<Uint8Array | null>;
/** How much a picture looks like paper, 0 to 1; null of what cannot be decoded. */
export type PaperShare = (bytes: Uint8Array) => Promise<number | null>;

/** The small picture that Photos keeps of each photo, as an id of the manifest. */
async function thumbnailOf(path: string): Promise<string> {
  const digest = await webCrypto.sha1(
    new TextEncoder().encode(`${CAMERA}-Media/PhotoData/Thumbnails/V2/${path.replace(/^Media\//, '')}/5005.JPG`),
  );
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** How much pictures look like pages of print, by backup and file; guessed once as long as this lives. */
export function createPaperGuesses(paperShare: PaperShare) {
  const guesses = new Map<string, number | null>();
  return async (
    backupId: string,
    read: SmallFile,
    pictures: readonly Picture[],
    signal?: AbortSignal,
  ): Promise<(fileId: string) => number | null> => {
    const keyOf = (fileId: string): string => `${backupId}\0${fileId}`;
    let looked = 0;
    for (const { file_id, domain, relative_path } of pictures) {
      if (looked >= LOOKED_AT) break;
      if (guesses.has(keyOf(file_id))) continue;
      signal?.throwIfAborted();
      looked += 1;
      const bytes =
        (domain === CAMERA ? await read(await thumbnailOf(relative_path), MAX_BYTES) : null) ??
        (await read(file_id, MAX_BYTES));
      guesses.set(keyOf(file_id), bytes === null ? null : await paperShare(bytes));
    }
    return (fileId) => guesses.get(keyOf(fileId)) ?? null;
  };
}

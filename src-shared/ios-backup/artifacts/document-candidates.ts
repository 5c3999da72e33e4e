import { webCrypto } from '../web-crypto.ts';

/** Images classified per request, newest first. Results are cached, so that later requests cover more images. */
const MAX_CLASSIFIED = 150;
/** Larger images are panoramas, and cost more than the estimate is worth. */
const MAX_BYTES = 12 * 2 ** 20;
const CAMERA_ROLL = 'CameraRollDomain';

export interface Picture {
  file_id: string;
  domain: string;
  relative_path: string;
}
/** Reads a file; null if it has more than `maxBytes`, is missing or cannot be read without the phone. */
export type ReadSmallFile = (fileId: string, maxBytes: number) => Promise<Uint8Array | null>;
/** How much an image looks like a printed page, 0 to 1; null if it cannot be decoded. */
export type DocumentLikelihood = (bytes: Uint8Array) => Promise<number | null>;
/** Classifies images and returns a lookup of the scores known so far. */
export type ClassifyImages = (
  backupId: string,
  read: ReadSmallFile,
  pictures: readonly Picture[],
  signal?: AbortSignal,
) => Promise<(fileId: string) => number | null>;

/** Manifest id of the thumbnail that Photos stores for a photo. */
async function thumbnailId(path: string): Promise<string> {
  const thumbnail = `${CAMERA_ROLL}-Media/PhotoData/Thumbnails/V2/${path.replace(/^Media\//, '')}/5005.JPG`;
  const digest = await webCrypto.sha1(new TextEncoder().encode(thumbnail));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Creates a classifier that scores each image of each backup once. */
export function createImageClassifier(documentLikelihood: DocumentLikelihood): ClassifyImages {
  const scores = new Map<string, number | null>();
  return async (backupId, read, pictures, signal) => {
    const keyOf = (fileId: string): string => `${backupId}\0${fileId}`;
    const unscored = pictures.filter(({ file_id: fileId }) => !scores.has(keyOf(fileId)));
    for (const picture of unscored.slice(0, MAX_CLASSIFIED)) {
      signal?.throwIfAborted();
      const bytes = await readPicture(picture, read);
      scores.set(keyOf(picture.file_id), bytes === null ? null : await documentLikelihood(bytes));
    }
    return (fileId) => scores.get(keyOf(fileId)) ?? null;
  };
}

/** The bytes of the photo's thumbnail if there is one, or of the image itself. */
async function readPicture(
  { file_id: fileId, domain, relative_path: path }: Picture,
  read: ReadSmallFile,
): Promise<Uint8Array | null> {
  const thumbnail = domain === CAMERA_ROLL ? await read(await thumbnailId(path), MAX_BYTES) : null;
  return thumbnail ?? read(fileId, MAX_BYTES);
}

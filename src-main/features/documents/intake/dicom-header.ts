import { openVaultFile } from '../../../platform/vault/vault-files.ts';
import { DicomError } from '../../../reading/dicom/dicom-error.ts';
import { readInstance, type DicomInstance } from '../../../reading/dicom/instance.ts';
import { countPassedBytes } from '../../../platform/kernel/collect-garbage.ts';
import { fail } from '../../../platform/kernel/errors.ts';

/** Enough for the header of almost every object, and for the rest; the pixels after it are not needed. */
export const [FIRST_BYTES, MORE_BYTES] = [2 ** 16, 2 ** 20];
/** An object whose header is not within the first bytes is read up to here. */
const MAX_BYTES = 64 * 2 ** 20;
/** UIDs that are made of the bytes of an object (PS3.5, annex B.2), which differ perhaps in its pixels only. */
const DERIVED = '2.25.';

/** A directory of a disc (PS3.3, annex F): it lists objects and is none. */
const DIRECTORY_CLASS = '1.2.840.10008.1.3.10';

/** Whether the object only lists the files of a disc. */
export const isDirectory = ({ sopClassUid }: DicomInstance): boolean => sopClassUid === DIRECTORY_CLASS;

/** Reads the header of a DICOM file. @throws `upload.damaged` */
export async function readHeader(absolute: string, size: number): Promise<DicomInstance> {
  for (const bytes of [FIRST_BYTES, MORE_BYTES])
    if (size > bytes) {
      const first = await readInstanceIn(absolute, bytes).catch(() => null);
      // Where these bytes end between two elements, pixels may follow.
      const isComplete = first?.isComplete === true && first.frames > 0;
      if (isComplete && (bytes > FIRST_BYTES || !first.sopInstanceUid.startsWith(DERIVED))) return first;
    }
  return readInstanceIn(absolute, Math.min(size, MAX_BYTES));
}

async function readInstanceIn(absolute: string, bytes: number): Promise<DicomInstance> {
  return readFirstBytes(await readStart(absolute, bytes));
}

/** Reads the header in the first bytes of a DICOM file. @throws `upload.damaged` */
export function readFirstBytes(start: Uint8Array): DicomInstance {
  try {
    return readInstance(start);
  } catch (error) {
    throw error instanceof DicomError ? fail('upload.damaged', undefined, error) : error;
  }
}

async function readStart(absolute: string, bytes: number): Promise<Uint8Array> {
  const content = openVaultFile(absolute);
  try {
    countPassedBytes(bytes);
    const head = Buffer.alloc(bytes);
    return head.subarray(0, content.readSync(head, 0, bytes, 0));
  } finally {
    content.close();
  }
}

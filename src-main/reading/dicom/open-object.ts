import { memorySource, openFileSource, type ByteSource } from './byte-source.ts';
import { DicomError } from './dicom-error.ts';
import { parseDicom, type DicomObject } from './parse.ts';

/** Most headers are shorter. */
const FIRST_READ = 256 * 1024;
/** Per-frame attributes of thousands of frames take some megabytes. */
const MAX_HEADER_BYTES = 64 * 2 ** 20;
/** A deflated object is read as a whole. */
const MAX_DEFLATED_BYTES = 128 * 2 ** 20;

/** An object in a file, with what its pixels are read from. */
export interface OpenObject {
  object: DicomObject;
  source: ByteSource;
  /** Differs when the file was changed. */
  changed: string;
  close(): void;
}

/**
 * Opens a file and reads its header, however large its pixels are.
 * @throws DicomError `not_dicom`, `damaged`, `too_complex`, `too_large`, and errors of the file system
 */
export function openObject(path: string): OpenObject {
  const file = openFileSource(path);
  try {
    const object = readHeader(file);
    const source = object.syntax.isDeflated ? memorySource(object.content) : file;
    return { object, source, changed: file.changed, close: file.close };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Reads more of a file until the pixels are found or the file ends. */
function readHeader(file: ByteSource): DicomObject {
  for (let length = FIRST_READ; ; length *= 4) {
    const head = file.read(0, length);
    const isAll = head.length >= file.length;
    const object = tryParse(head, isAll);
    if (object?.pixelElement && !object.syntax.isDeflated) return object;
    if (object?.syntax.isDeflated) return readDeflated(file);
    if (isAll && object) return object;
    if (length > MAX_HEADER_BYTES) throw new DicomError('too_complex', 'the header is too long');
  }
}

/** Null where more bytes may help. */
function tryParse(head: Uint8Array, isAll: boolean): DicomObject | null {
  try {
    return parseDicom(head);
  } catch (error) {
    if (!isAll && error instanceof DicomError && error.code === 'damaged') return null;
    throw error;
  }
}

function readDeflated(file: ByteSource): DicomObject {
  if (file.length > MAX_DEFLATED_BYTES) throw new DicomError('too_large', 'a deflated object');
  return parseDicom(file.read(0, file.length));
}

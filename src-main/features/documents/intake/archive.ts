import { pipeline, Transform, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { fail, Failure } from '../../../platform/kernel/errors.ts';

export interface ArchiveLimits {
  maxMembers: number;
  maxBytes: number;
  maxRatio: number;
}

/** Files that operating systems add to archives. */
const JUNK = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i;
/** A high ratio is harmless below this size: blank pages compress well. */
const MIN_RATIO_CHECK_BYTES = 64 * 2 ** 20;
/** Upper 16 bits of a Unix entry's external attributes (APPNOTE.TXT 4.4.15): file type. */
const S_IFMT = 0o170000;
const S_IFLNK = 0o120000;

const gibibytes = (bytes: number): string => `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`;

/**
 * Opens a ZIP and passes its files to `take` one by one. The directory is checked before anything is unpacked: number
 * of files, total size, compression ratio, path traversal, symbolic links, encryption. Sizes are checked again while
 * unpacking.
 */
export async function readArchive(
  path: string,
  limits: ArchiveLimits,
  take: (name: string, open: () => Promise<Readable>) => Promise<void>,
): Promise<void> {
  const archive = await yauzl
    .openPromise(path, { autoClose: false, lazyEntries: true, validateEntrySizes: true, strictFileNames: true })
    .catch(throwDamaged);
  try {
    const members = await listMembers(archive, limits);
    for (const entry of members)
      await take(entry.fileName, async () =>
        withChecksum(await archive.openReadStreamPromise(entry).catch(throwDamaged), entry.crc32),
      );
  } finally {
    archive.close();
  }
}

/** Verifies the CRC-32, since yauzl compares sizes only. */
function withChecksum(source: Readable, expected: number): Readable {
  let sum = 0;
  return pipeline(
    source,
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sum = crc32(chunk, sum);
        done(null, chunk);
      },
      flush: (done) => done(sum === expected ? null : fail('archive.damaged')),
      // The consumer of the stream gets the error, so the callback ignores it.
    }),
    () => undefined,
  );
}

async function listMembers(archive: yauzl.ZipFile, limits: ArchiveLimits): Promise<yauzl.Entry[]> {
  const members: yauzl.Entry[] = [];
  let expanded = 0;
  try {
    if (archive.entryCount > limits.maxMembers) throw fail('archive.too_many_files', { limit: limits.maxMembers });
    for await (const entry of archive.eachEntry()) {
      if (((entry.externalFileAttributes >>> 16) & S_IFMT) === S_IFLNK) throw fail('archive.unsafe');
      if (entry.generalPurposeBitFlag & 1) throw fail('archive.encrypted');
      expanded += entry.uncompressedSize;
      if (expanded > limits.maxBytes) throw fail('archive.too_large', { limit: gibibytes(limits.maxBytes) });
      if (!entry.fileName.endsWith('/') && !JUNK.test(entry.fileName)) members.push(entry);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throwDamaged(error);
  }
  if (expanded > MIN_RATIO_CHECK_BYTES && expanded / archive.fileSize > limits.maxRatio)
    throw fail('archive.ratio_too_high', { limit: limits.maxRatio });
  return members;
}

/** Maps the messages of yauzl: path traversal is an attack, anything else is damage. */
function throwDamaged(error: unknown): never {
  const message = (error as Error).message ?? '';
  if (/^(absolute path|invalid relative path|invalid characters in fileName)/.test(message))
    throw fail('archive.unsafe', undefined, error);
  throw fail('archive.damaged', undefined, error);
}

import { pipeline, Transform, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { fail, Failure } from '../../../platform/kernel/errors.ts';

export interface ArchiveLimits {
  maxMembers: number;
  maxBytes: number;
  maxRatio: number;
}

/** What comes in every archive of a computer and is no document. */
const JUNK = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i;
/** Below this size a high ratio does no harm: a page of blank paper compresses well. */
const RATIO_MATTERS_BYTES = 64 * 2 ** 20;
/** Upper 16 bits of a Unix entry's external attributes (APPNOTE.TXT 4.4.15): file type. */
const S_IFMT = 0o170000;
const S_IFLNK = 0o120000;

const readable = (bytes: number): string => `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`;

/**
 * Opens a ZIP and hands over its files one by one. Everything that the directory tells is checked before the first byte is unpacked:
 * number, total size, ratio, names that leave the folder, links, passwords. Sizes are enforced again while unpacking.
 */
export async function readArchive(
  path: string,
  limits: ArchiveLimits,
  take: (name: string, open: () => Promise<Readable>) => Promise<void>,
): Promise<void> {
  const archive = await yauzl
    .openPromise(path, { autoClose: false, lazyEntries: true, validateEntrySizes: true, strictFileNames: true })
    .catch(damaged);
  try {
    const members = await listMembers(archive, limits);
    for (const entry of members)
      await take(entry.fileName, async () =>
        checked(await archive.openReadStreamPromise(entry).catch(damaged), entry.crc32),
      );
  } finally {
    archive.close();
  }
}

/** yauzl compares sizes, not checksums. */
function checked(source: Readable, expected: number): Readable {
  let sum = 0;
  return pipeline(
    source,
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sum = crc32(chunk, sum);
        done(null, chunk);
      },
      flush: (done) => done(sum === expected ? null : fail('archive.damaged')),
      // Whoever reads hears of the error; here is nothing left to do.
    }),
    () => undefined,
  );
}

async function listMembers(archive: yauzl.ZipFile, limits: ArchiveLimits): Promise<yauzl.Entry[]> {
  const members: yauzl.Entry[] = [];
  let expanded = 0;
  try {
    if (archive.entryCount > limits.maxMembers) throw fail('archive.bomb', { limit: `${limits.maxMembers} files` });
    for await (const entry of archive.eachEntry()) {
      if (((entry.externalFileAttributes >>> 16) & S_IFMT) === S_IFLNK) throw fail('archive.unsafe');
      if (entry.generalPurposeBitFlag & 1) throw fail('archive.encrypted');
      expanded += entry.uncompressedSize;
      if (expanded > limits.maxBytes) throw fail('archive.bomb', { limit: readable(limits.maxBytes) });
      if (!entry.fileName.endsWith('/') && !JUNK.test(entry.fileName)) members.push(entry);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    damaged(error);
  }
  if (expanded > RATIO_MATTERS_BYTES && expanded / archive.fileSize > limits.maxRatio)
    throw fail('archive.bomb', { limit: `${limits.maxRatio} times its size` });
  return members;
}

/** yauzl says in words what is wrong; names that leave the folder are an attack, the rest is damage. */
function damaged(error: unknown): never {
  const message = (error as Error).message ?? '';
  if (/^(absolute path|invalid relative path|invalid characters in fileName)/.test(message))
    throw fail('archive.unsafe', undefined, error);
  throw fail('archive.damaged', undefined, error);
}

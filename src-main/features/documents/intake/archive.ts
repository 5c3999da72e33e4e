import { pipeline, Transform, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { fileKeyFor } from '../../../platform/kernel/process-keys.ts';
import { contentSizeOf, streamVaultFile } from '../../../platform/vault/vault-files.ts';
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
/** Names, extra fields and comments of all members; each may have 192 KiB, and the core holds them all. */
const MAX_DIRECTORY_BYTES = 32 * 2 ** 20;
/** Upper 16 bits of a Unix entry's external attributes (APPNOTE.TXT 4.4.15): file type. */
const S_IFMT = 0o170000;
const S_IFLNK = 0o120000;
/** APPNOTE.TXT 4.3.7, without name and extra field. */
const LOCAL_HEADER_BYTES = 30;

const gibibytes = (bytes: number): string => `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`;

/** A member of an archive; `open` rejects with the reason why it can't be used. */
export interface Member {
  name: string;
  open: () => Promise<Readable>;
}

/**
 * Opens a ZIP and passes its files to `take` one by one, until `take` returns false. The directory is checked before
 * anything is unpacked: number of files, total size, compression ratio, overlapping members. A member that is a link,
 * leaves the archive, or is encrypted can't be opened, but does not affect the others. Sizes are checked again while
 * unpacking.
 */
export async function readArchive(
  path: string,
  limits: ArchiveLimits,
  take: (member: Member) => Promise<boolean>,
): Promise<void> {
  // Names are decoded here, because yauzl ends the whole directory at the first name that it does not accept.
  const archive = await openArchive(path).catch(throwDamaged);
  try {
    const members = await listMembers(archive, limits);
    for (const { entry, name, problem } of members) {
      const open = async (): Promise<Readable> => {
        if (problem) throw fail(problem);
        return withChecksum(await archive.openReadStreamPromise(entry).catch(throwDamaged), entry.crc32);
      };
      if (!(await take({ name, open }))) return;
    }
  } finally {
    archive.close();
  }
}

const OPTIONS = { autoClose: false, lazyEntries: true, validateEntrySizes: true, decodeStrings: false } as const;

/** A sealed archive is read where yauzl asks for it. */
const openArchive = (path: string): Promise<yauzl.ZipFile> =>
  fileKeyFor(path) === null
    ? yauzl.openPromise(path, OPTIONS)
    : yauzl.fromRandomAccessReaderPromise(new VaultFileReader(path), contentSizeOf(path), OPTIONS);

class VaultFileReader extends yauzl.RandomAccessReader {
  readonly #path: string;
  constructor(path: string) {
    super();
    this.#path = path;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return streamVaultFile(this.#path, { start, end });
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

interface ListedMember {
  entry: yauzl.Entry;
  name: string;
  problem: MemberProblem | null;
}
type MemberProblem = 'archive.unsafe_member' | 'archive.encrypted' | 'upload.empty';

async function listMembers(archive: yauzl.ZipFile, limits: ArchiveLimits): Promise<ListedMember[]> {
  const entries: yauzl.Entry[] = [];
  let [expanded, directoryBytes] = [0, 0];
  try {
    if (archive.entryCount > limits.maxMembers) throw fail('archive.too_many_files', { limit: limits.maxMembers });
    for await (const entry of archive.eachEntry()) {
      expanded += entry.uncompressedSize;
      if (expanded > limits.maxBytes) throw fail('archive.too_large', { limit: gibibytes(limits.maxBytes) });
      directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (directoryBytes > MAX_DIRECTORY_BYTES) throw fail('archive.damaged');
      entries.push(entry);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throwDamaged(error);
  }
  if (expanded > MIN_RATIO_CHECK_BYTES && expanded / archive.fileSize > limits.maxRatio)
    throw fail('archive.ratio_too_high', { limit: limits.maxRatio });
  if (hasOverlap(entries)) throw fail('archive.damaged');
  return entries
    .map((entry) => {
      const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      return { entry, name, problem: problemOf(entry, name) };
    })
    .filter(({ name }) => !name.endsWith('/') && !JUNK.test(name));
}

/** Members that share bytes: a small archive could otherwise contain any number of large files. */
function hasOverlap(entries: readonly yauzl.Entry[]): boolean {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  return sorted.some((entry, index) => {
    const next = sorted[index + 1];
    const end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.compressedSize;
    return next !== undefined && next.relativeOffsetOfLocalHeader < end;
  });
}

function problemOf(entry: yauzl.Entry, name: string): MemberProblem | null {
  const isLink = ((entry.externalFileAttributes >>> 16) & S_IFMT) === S_IFLNK;
  if (isLink || yauzl.validateFileName(name) !== null || name.includes('\0')) return 'archive.unsafe_member';
  if (entry.isEncrypted()) return 'archive.encrypted';
  return entry.uncompressedSize === 0 ? 'upload.empty' : null;
}

function throwDamaged(error: unknown): never {
  throw fail('archive.damaged', undefined, error);
}

import { makeZip } from 'client-zip';
import type { BackupSource } from '../source/source.ts';
import { safePath, unique } from './file-name.ts';

/** A file for an archive: where it stood, when it was changed (UTC). */
export interface ArchiveFile {
  fileId: string;
  domain: string;
  relativePath: string;
  filename: string;
  at: string | null;
}
/** Texts of the archive's note about missing files: `links` are the names of symbolic links. */
export interface LeftOut {
  name: string;
  title: string;
  links: readonly string[];
  linkReason: string;
  reasonOf: (error: unknown) => string;
}
interface Watched {
  signal?: AbortSignal | undefined;
  onBytes?: (bytes: number) => void;
}

/** Bytes requested from the source at a time. */
const PIECE = 4 * 1024 * 1024;
/** Dates of ZIP begin then. */
const FIRST_YEAR = 1980;

/**
 * Streams files as a ZIP archive under their paths on the phone, one after the other, so that gigabytes need little
 * memory. The archive lists the files that could not be read.
 */
export function archiveOf(
  source: BackupSource,
  files: readonly ArchiveFile[],
  leftOut: LeftOut,
  watched: Watched = {},
): ReadableStream<Uint8Array> {
  const names = unique([
    leftOut.name,
    ...files.map(({ domain, relativePath, filename }) =>
      safePath([domain, relativePath || filename].filter(Boolean).join('/')),
    ),
  ]).slice(1);
  async function* entries() {
    const missing = leftOut.links.map((path) => `${path}: ${leftOut.linkReason}`);
    for (const [index, file] of files.entries()) {
      watched.signal?.throwIfAborted();
      const name = names[index] ?? file.fileId;
      try {
        const size = await source.size(file.fileId, watched.signal);
        yield { name, size, lastModified: dateOf(file.at), input: streamOf(source, file.fileId, size, watched) };
      } catch (error) {
        watched.signal?.throwIfAborted();
        missing.push(`${[file.domain, file.relativePath].filter(Boolean).join('/')}: ${leftOut.reasonOf(error)}`);
      }
    }
    // A mark, so that programs of Windows know the encoding.
    if (missing.length > 0)
      yield {
        name: leftOut.name,
        lastModified: new Date(0),
        input: `\uFEFF${leftOut.title}\r\n\r\n${missing.join('\r\n')}\r\n`,
      };
  }
  return makeZip(entries());
}

function dateOf(at: string | null): Date {
  const date = new Date(at === null ? Number.NaN : `${at}Z`);
  return date.getUTCFullYear() > FIRST_YEAR ? date : new Date(Date.UTC(FIRST_YEAR, 0, 2));
}

function streamOf(
  source: BackupSource,
  fileId: string,
  size: number,
  { signal, onBytes }: Watched,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= size) return controller.close();
        signal?.throwIfAborted();
        const bytes = await source.bytes(fileId, at, Math.min(size, at + PIECE), signal);
        if (bytes.length === 0) throw new Error('The file ends before its size.');
        at += bytes.length;
        onBytes?.(bytes.length);
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

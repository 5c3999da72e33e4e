import { makeZip } from 'client-zip';
import type { BackupSource } from '../source/source.ts';
import { safePath, makeUnique } from './file-name.ts';

/** A file for an archive: its path on the phone, and when it was changed (UTC). */
export interface ArchiveFile {
  fileId: string;
  domain: string;
  relativePath: string;
  filename: string;
  at: string | null;
}
/** Texts of the note in the archive about missing files. `links`: paths of symbolic links. */
export interface MissingNote {
  name: string;
  title: string;
  links: readonly string[];
  linkReason: string;
  reasonOf: (error: unknown) => string;
}
interface ReadOptions {
  signal?: AbortSignal | undefined;
  onBytes?: (bytes: number) => void;
}

/** Bytes requested from the source at a time. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** ZIP can't store earlier dates (APPNOTE 4.4.6). */
const MIN_YEAR = 1980;

/**
 * Streams files as a ZIP archive under their paths on the phone, one after the other, so that gigabytes need little
 * memory. The archive lists the files that could not be read.
 */
export function archiveOf(
  source: BackupSource,
  files: readonly ArchiveFile[],
  note: MissingNote,
  options: ReadOptions = {},
): ReadableStream<Uint8Array> {
  const names = makeUnique([
    note.name,
    ...files.map(({ domain, relativePath, filename }) =>
      safePath([domain, relativePath || filename].filter(Boolean).join('/')),
    ),
  ]).slice(1);
  async function* entries() {
    const missing = note.links.map((path) => `${path}: ${note.linkReason}`);
    for (const [index, file] of files.entries()) {
      options.signal?.throwIfAborted();
      const name = names[index] ?? file.fileId;
      try {
        const size = await source.size(file.fileId, options.signal);
        yield { name, size, lastModified: dateOf(file.at), input: streamOf(source, file.fileId, size, options) };
      } catch (error) {
        options.signal?.throwIfAborted();
        missing.push(`${[file.domain, file.relativePath].filter(Boolean).join('/')}: ${note.reasonOf(error)}`);
      }
    }
    // The byte order mark tells programs on Windows the encoding.
    if (missing.length > 0)
      yield {
        name: note.name,
        lastModified: new Date(0),
        input: `\uFEFF${note.title}\r\n\r\n${missing.join('\r\n')}\r\n`,
      };
  }
  return makeZip(entries());
}

function dateOf(at: string | null): Date {
  const date = new Date(at === null ? Number.NaN : `${at}Z`);
  return date.getUTCFullYear() > MIN_YEAR ? date : new Date(Date.UTC(MIN_YEAR, 0, 2));
}

function streamOf(
  source: BackupSource,
  fileId: string,
  size: number,
  { signal, onBytes }: ReadOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= size) return controller.close();
        signal?.throwIfAborted();
        const bytes = await source.bytes(fileId, at, Math.min(size, at + CHUNK_BYTES), signal);
        if (bytes.length === 0) throw new Error('The file ends before its size.');
        at += bytes.length;
        onBytes?.(bytes.length);
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

import { BackupError } from './errors.ts';
import { BLOCK_BYTES, cbcSource, paddingOf, wholeBlocks } from './format/cbc-source.ts';
import type { BackupFiles, ByteSource, CbcKey, OpenFile } from './ports.ts';

/** The size of a stream's chunks; the encrypted and decrypted bytes of a chunk fit into the caches of a processor. */
const CHUNK_BYTES = 1024 * 1024;
/** Chunks requested ahead: the platform reads some while another is decrypted. */
const READ_AHEAD_CHUNKS = 3;

/** The bytes of one entry, decrypted on demand. */
export interface Content extends ByteSource {
  /** Yields the bytes of [start, end) in chunks and reads the next ones ahead. */
  stream(start?: number, end?: number): AsyncGenerator<Uint8Array>;
}

/** Opens a blob of the backup as stored on disk. Throws `missing_blob`. */
export async function blobSource(files: BackupFiles, path: string): Promise<ByteSource> {
  const size = await files.size(path);
  if (size === null) throw new BackupError('missing_blob');
  const exactSource = (readRange: OpenFile['readRange']): ByteSource => ({
    size,
    async read(start, end) {
      const bytes = await readRange(start, end);
      if (bytes.length !== end - start)
        throw new BackupError('damaged_file', { reason: 'the file in the backup became shorter' });
      return bytes;
    },
    release: (bytes) => files.release?.(bytes),
  });
  return {
    ...exactSource((start, end) => files.readRange(path, start, end)),
    ...(files.open && {
      open: async () => {
        const file = await files.open!(path);
        return { ...exactSource((start, end) => file.readRange(start, end)), close: () => file.close() };
      },
    }),
  };
}

/**
 * Opens the plain bytes of an encrypted blob. They end where their PKCS#7 padding starts: the size in the manifest is
 * often wrong for files that changed during the backup, in both directions, and cutting a database there destroys it.
 * That size counts only if the padding is invalid and the size ends in the last block. Throws `cut_file` for a blob that
 * ends inside a cipher block, or at one without padding and before that size: the rest of it is missing.
 * Source: github.com/avibrazil/iOSbackup pull request 26, github.com/jsharkey13/iphone_backup_decrypt issue 1.
 */
export async function decryptedSource(blob: ByteSource, key: CbcKey, recorded: number | null): Promise<ByteSource> {
  if (blob.size % BLOCK_BYTES !== 0) throw new BackupError('cut_file');
  const source = await wholeBlocksSource(blob, key, recorded);
  if (source.size === blob.size && recorded !== null && recorded > blob.size) throw new BackupError('cut_file');
  return source;
}

/**
 * Like `decryptedSource`, but leaves out an incomplete last block: for a write-ahead log, whose complete frames are
 * valid without its end.
 */
export async function wholeBlocksSource(blob: ByteSource, key: CbcKey, recorded: number | null): Promise<ByteSource> {
  const whole = wholeBlocks(blob.size);
  const padding = paddingOf(await cbcSource(blob, key).read(Math.max(0, whole - BLOCK_BYTES), whole));
  if (padding > 0) return cbcSource(blob, key, whole - padding);
  const isInLastBlock = recorded !== null && recorded <= whole && whole - recorded < BLOCK_BYTES;
  return cbcSource(blob, key, isInLastBlock ? recorded : whole);
}

/** Adds a stream with read-ahead to a source. */
export function toContent(source: ByteSource): Content {
  return {
    size: source.size,
    read: (start, end) => source.read(start, end),
    async *stream(start = 0, end = source.size) {
      const opened = await source.open?.();
      try {
        yield* readAhead(opened ?? source, start, Math.min(end, source.size));
      } finally {
        await opened?.close();
      }
    },
  };
}

async function* readAhead(source: ByteSource, start: number, end: number): AsyncGenerator<Uint8Array> {
  const pending: Promise<Uint8Array>[] = [];
  let next = start;
  const request = (): void => {
    for (; pending.length < READ_AHEAD_CHUNKS && next < end; next += CHUNK_BYTES) {
      const chunk = source.read(next, Math.min(end, next + CHUNK_BYTES));
      // A consumer that stops early never awaits the pending chunks: their errors must not be unhandled.
      chunk.catch(() => undefined);
      pending.push(chunk);
    }
  };
  request();
  for (let first = pending.shift(); first !== undefined; first = pending.shift()) {
    const chunk = await first;
    request();
    yield chunk;
  }
}

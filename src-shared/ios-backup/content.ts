import { BackupError } from './errors.ts';
import { BLOCK, cbcSource, paddingOf, wholeBlocks } from './format/cbc-source.ts';
import type { BackupFiles, ByteSource, CbcKey, HeldFile } from './ports.ts';

/** Size of a stream's pieces: together with their plain bytes they fit the caches of a processor. */
const PIECE = 1024 * 1024;
/** Pieces read ahead: the platform reads some while another is decrypted. */
const AHEAD = 3;
/** A record's size is believed up to here below the blob's: PKCS#7 within a block, or a whole block more. */
const MOST_PADDING = 2 * BLOCK;

/** The bytes of one entry, decrypted on demand. */
export interface Content extends ByteSource {
  /** Bytes of [start, end) in pieces; the next ones are read while the last one is used. */
  stream(start?: number, end?: number): AsyncGenerator<Uint8Array>;
}

/** Opens a blob of the backup as stored on disk. Throws `missing_blob`. */
export async function blobSource(files: BackupFiles, path: string): Promise<ByteSource> {
  const size = await files.size(path);
  if (size === null) throw new BackupError('missing_blob');
  const exactly = (readRange: HeldFile['readRange']): ByteSource => ({
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
    ...exactly((start, end) => files.readRange(path, start, end)),
    ...(files.hold && {
      hold: async () => {
        const file = await files.hold!(path);
        return { ...exactly((start, end) => file.readRange(start, end)), close: () => file.close() };
      },
    }),
  };
}

/**
 * Plain bytes of an encrypted blob. `recorded`, the size that the manifest names, wins where it can be true. Files that grew while
 * they were backed up (databases above all) are longer than recorded, others are shorter: they end where their PKCS#7 padding says.
 * Source: observed by several readers, e.g. github.com/avibrazil/iOSbackup pull request 26.
 */
export async function decrypted(blob: ByteSource, key: CbcKey, recorded: number | null): Promise<ByteSource> {
  const whole = wholeBlocks(blob.size);
  if (recorded !== null && fitsBlob(recorded, blob.size)) return cbcSource(blob, key, recorded);
  const padded = cbcSource(blob, key);
  const padding = paddingOf(await padded.read(Math.max(0, whole - BLOCK), whole));
  return cbcSource(blob, key, whole - padding);
}

/** Whether an encrypted blob can hold a file of this size: the size and its padding, no more. */
export function fitsBlob(recorded: number, blobSize: number): boolean {
  const whole = wholeBlocks(blobSize);
  return recorded <= whole && whole - recorded <= MOST_PADDING;
}

export function streamable(source: ByteSource): Content {
  return {
    size: source.size,
    read: (start, end) => source.read(start, end),
    async *stream(start = 0, end = source.size) {
      const stop = Math.min(end, source.size),
        coming: Promise<Uint8Array>[] = [];
      const held = await source.hold?.(),
        from: ByteSource = held ?? source;
      let asked = start;
      const ask = (): void => {
        for (; coming.length < AHEAD && asked < stop; asked += PIECE) {
          const piece = from.read(asked, Math.min(stop, asked + PIECE));
          // Whoever stops early never sees how this one ends.
          piece.catch(() => undefined);
          coming.push(piece);
        }
      };
      try {
        ask();
        for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
          const piece = await next;
          ask();
          yield piece;
        }
      } finally {
        await held?.close();
      }
    },
  };
}

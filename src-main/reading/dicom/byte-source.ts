import { statSync } from 'node:fs';
import { openVaultFile } from '../../platform/vault/vault-files.ts';

/** Bytes that are read piece by piece: a file, or memory. */
export interface ByteSource {
  readonly length: number;
  /** Fewer bytes at the end; none behind it. */
  read(position: number, length: number): Uint8Array;
}

/** Bytes in memory as a source; what is read shares their memory. */
export const memorySource = (bytes: Uint8Array): ByteSource => ({
  length: bytes.length,
  read: (position, length) => bytes.subarray(position, position + length),
});

/** A file that is read where it is on the disk, so that a large one needs little memory. */
export function openFileSource(path: string): ByteSource & { changed: string; close(): void } {
  const file = openVaultFile(path);
  const { size } = file;
  const { mtimeMs } = statSync(path);
  return {
    length: size,
    changed: `${size} ${mtimeMs}`,
    read(position, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      let filled = 0;
      while (filled < bytes.length) {
        const count = file.readSync(bytes, filled, bytes.length - filled, position + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
    close: () => file.close(),
  };
}

import type { ByteSource, CbcKey } from '../ports.ts';

/** The block size of AES. */
export const BLOCK_BYTES = 16;

/**
 * Decrypts AES-CBC (zero IV at the start) at any position, because a block needs only the cipher block before it. An
 * incomplete last block can't be decrypted and is left out. `size` is the number of plain bytes, at most the whole
 * blocks of `cipher`.
 */
export function cbcSource(cipher: ByteSource, key: CbcKey, size = wholeBlocks(cipher.size)): ByteSource {
  return {
    size,
    async read(start, end) {
      if (end <= start) return new Uint8Array();
      const first = wholeBlocks(start),
        last = wholeBlocks(end + BLOCK_BYTES - 1),
        before = Math.max(0, first - BLOCK_BYTES);
      const bytes = await cipher.read(before, last);
      const iv = first === 0 ? new Uint8Array(BLOCK_BYTES) : bytes.subarray(0, BLOCK_BYTES);
      const plain = await key.decrypt(iv, bytes.subarray(first - before));
      cipher.release?.(bytes);
      return plain.subarray(start - first, end - first);
    },
    ...(cipher.open && {
      open: async () => {
        const opened = await cipher.open!();
        return { ...cbcSource(opened, key, size), close: () => opened.close() };
      },
    }),
  };
}

/** Rounds a size down to whole blocks. */
export const wholeBlocks = (size: number): number => size - (size % BLOCK_BYTES);

/** Returns the length of the PKCS#7 padding at the end of the bytes; 0 without valid padding. */
export function paddingOf(bytes: Uint8Array): number {
  const count = bytes.at(-1) ?? 0;
  return count >= 1 &&
    count <= BLOCK_BYTES &&
    count <= bytes.length &&
    bytes.subarray(-count).every((byte) => byte === count)
    ? count
    : 0;
}

import type { ByteSource, CbcKey } from '../ports.ts';

export const BLOCK = 16;

/**
 * Plain bytes of AES-CBC (zero IV at the start) over cipher bytes, readable anywhere: a block needs only the cipher block before it.
 * An incomplete last block cannot be decrypted and is left out.
 * @param size how many plain bytes there are; at most the whole blocks of `cipher`
 */
export function cbcSource(cipher: ByteSource, key: CbcKey, size = wholeBlocks(cipher.size)): ByteSource {
  return {
    size,
    async read(start, end) {
      if (end <= start) return new Uint8Array();
      const first = wholeBlocks(start),
        last = wholeBlocks(end + BLOCK - 1),
        before = Math.max(0, first - BLOCK);
      const bytes = await cipher.read(before, last);
      const iv = first === 0 ? new Uint8Array(BLOCK) : bytes.subarray(0, BLOCK);
      const plain = await key.decrypt(iv, bytes.subarray(first - before));
      cipher.release?.(bytes);
      return plain.subarray(start - first, end - first);
    },
    ...(cipher.hold && {
      hold: async () => {
        const held = await cipher.hold!();
        return { ...cbcSource(held, key, size), close: () => held.close() };
      },
    }),
  };
}

export const wholeBlocks = (size: number): number => size - (size % BLOCK);

/** Length of the PKCS#7 padding that ends these bytes; 0 without valid padding. */
export function paddingOf(bytes: Uint8Array): number {
  const count = bytes.at(-1) ?? 0;
  return count >= 1 && count <= BLOCK && count <= bytes.length && bytes.subarray(-count).every((byte) => byte === count)
    ? count
    : 0;
}

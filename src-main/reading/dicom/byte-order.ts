/** Reverses the bytes of each word, in place. */
export function swapBytes(bytes: Uint8Array, wordBytes: number): void {
  const words = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % wordBytes));
  if (wordBytes === 2) words.swap16();
  if (wordBytes === 4) words.swap32();
  if (wordBytes === 8) words.swap64();
}

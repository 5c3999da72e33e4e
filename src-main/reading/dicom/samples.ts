import type { ImageLayout } from './image-layout.ts';

/** Stored pixel values, without bits that are not part of them. */
export type Samples = Uint8Array | Uint16Array | Int16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Reads samples from the bytes of a frame in little endian. */
export function readSamples(bytes: Uint8Array, layout: ImageLayout, count: number): Samples {
  const { bitsAllocated, isFloat } = layout;
  if (bitsAllocated === 1 || bitsAllocated === 12) return unpackBits(bytes, bitsAllocated, count);
  const aligned = alignedCopy(bytes, (count * bitsAllocated) / 8);
  if (isFloat) return bitsAllocated === 64 ? new Float64Array(aligned) : new Float32Array(aligned);
  if (bitsAllocated === 8) return maskSamples(new Uint8Array(aligned), layout);
  return maskSamples(bitsAllocated === 16 ? new Uint16Array(aligned) : new Uint32Array(aligned), layout);
}

function alignedCopy(bytes: Uint8Array, length: number): ArrayBuffer {
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  return copy.buffer;
}

/** Keeps the stored bits, and their sign (PS3.5, section 8.1.1). */
function maskSamples(words: Uint8Array | Uint16Array | Uint32Array, layout: ImageLayout): Samples {
  const { bitsAllocated, bitsStored, highBit, isSigned } = layout;
  const above = 31 - highBit;
  const below = 32 - bitsStored;
  if (isSigned) {
    const signed = bitsAllocated === 32 ? new Int32Array(words.length) : new Int16Array(words.length);
    for (let i = 0; i < words.length; i += 1) signed[i] = (words[i]! << above) >> below;
    return signed;
  }
  if (bitsStored === bitsAllocated) return words;
  for (let i = 0; i < words.length; i += 1) words[i] = (words[i]! << above) >>> below;
  return words;
}

function unpackBits(bytes: Uint8Array, bits: 1 | 12, count: number): Samples {
  const samples = new Uint16Array(count);
  for (let i = 0; i < count; i += 1) {
    const at = Math.floor((i * bits) / 8);
    const word = bytes[at]! | ((bytes[at + 1] ?? 0) << 8);
    samples[i] = (word >> ((i * bits) % 8)) & ((1 << bits) - 1);
  }
  return samples;
}

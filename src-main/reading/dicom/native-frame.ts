import type { ImageLayout } from './image-layout.ts';

/** A decoded frame in the layout of its header: the samples of a pixel together, each with the bits that are allocated. */
export function nativeBytes(bytes: Uint8Array, { from, to }: { from: ImageLayout; to: ImageLayout }): Uint8Array {
  const wide = from.bitsAllocated === 8 && to.bitsAllocated === 16 ? widened(bytes, from.isSigned) : bytes;
  if (from.samples !== 3 || !from.isPlanar) return wide;
  const size = Math.max(1, to.bitsAllocated / 8);
  const count = from.rows * from.columns;
  const together = new Uint8Array(count * 3 * size);
  for (let sample = 0; sample < 3; sample += 1)
    for (let i = 0; i < count; i += 1)
      for (let byte = 0; byte < size; byte += 1)
        together[(i * 3 + sample) * size + byte] = wide[(sample * count + i) * size + byte]!;
  return together;
}

function widened(bytes: Uint8Array, isSigned: boolean): Uint8Array {
  const wide = isSigned ? Int16Array.from(Int8Array.from(bytes)) : Uint16Array.from(bytes);
  return new Uint8Array(wide.buffer);
}

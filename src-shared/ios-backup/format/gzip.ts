/** The bytes are not compressed, damaged, or too large when unpacked. */
export class GzipError extends Error {}

/** Unpacks gzip or zlib bytes; throws `GzipError` if they are neither, damaged, or larger than `maxBytes` unpacked. */
export async function unpack(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const zlib = (bytes[0] ?? 0) % 16 === 8 ? 'deflate' : null;
  const format = bytes[0] === 0x1f && bytes[1] === 0x8b ? 'gzip' : zlib;
  if (!format) throw new GzipError('not compressed');
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(format)).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > maxBytes) {
        await reader.cancel();
        throw new GzipError('the unpacked data is too large');
      }
      parts.push(value);
    }
  } catch (error) {
    throw error instanceof GzipError ? error : new GzipError('damaged', { cause: error });
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

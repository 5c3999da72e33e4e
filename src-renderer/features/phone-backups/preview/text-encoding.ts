/** Whether a byte never occurs in text, in any of these encodings. */
const isControl = (byte: number): boolean =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27;
/** Share of bytes above ASCII in text in a Western European language. */
const MAX_HIGH_BYTES = 0.3;

/**
 * Detects the encoding of a text from its beginning, by its TextDecoder label; null for binary data. The last character
 * may be cut off.
 */
export function textEncodingOf(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const even = head.length - (head.length % 2);
  const zeros = (odd: 0 | 1): number => {
    let count = 0;
    for (let at = odd; at < even; at += 2) if (head[at] === 0) count += 1;
    return count / Math.max(1, even / 2);
  };
  // Without a byte order mark: in UTF-16, every other byte of Latin text is zero.
  if (even >= 8 && zeros(1) > 0.9 && zeros(0) === 0) return 'utf-16le';
  if (even >= 8 && zeros(0) > 0.9 && zeros(1) === 0) return 'utf-16be';
  if (head.some(isControl)) return null;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    const high = head.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
    // Data with the five bytes that Windows-1252 leaves undefined, or with too many letters that English, German and
    // French do not use, is binary.
    return high / head.length <= MAX_HIGH_BYTES && ![0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => head.includes(byte))
      ? 'windows-1252'
      : null;
  }
}

/** Number of leading bytes that determine the type of a file. */
export const HEAD_BYTES = 4100;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Determines the media type by content; anything a browser would execute becomes plain text. */
export async function contentTypeOf(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const fileType = await fileTypeFromBuffer(head);
  if (fileType) return fileType.mime === 'application/xml' ? 'text/xml; charset=utf-8' : fileType.mime;
  if (startsWith(head, 'bplist0')) return 'application/x-plist';
  if (startsWith(head, 'SQLite format 3\0')) return 'application/vnd.sqlite3';
  if (head.length === 0 || head.includes(0)) return 'application/octet-stream';
  try {
    // In streaming mode the decoder accepts a last character that is cut off.
    UTF8.decode(head, { stream: head.length >= HEAD_BYTES });
    return 'text/plain; charset=utf-8';
  } catch {
    return 'application/octet-stream';
  }
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;

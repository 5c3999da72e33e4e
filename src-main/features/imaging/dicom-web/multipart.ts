import { randomUuid } from '../../../platform/kernel/ids.ts';

/** One part of a reply. */
export interface Part {
  /** Content-Type with its parameters. */
  type: string;
  location: string;
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * A `multipart/related` reply (RFC 2387) whose parts are made one after the other. The boundary does not occur in any
 * part: it has 122 random bits.
 */
export function multipartOf(
  mediaType: string,
  parts: AsyncIterable<Part>,
): { type: string; chunks: AsyncGenerator<Uint8Array> } {
  const boundary = `hearth-${randomUuid()}`;
  return { type: `multipart/related; type="${mediaType}"; boundary=${boundary}`, chunks: write(parts, boundary) };
}

async function* write(parts: AsyncIterable<Part>, boundary: string): AsyncGenerator<Uint8Array> {
  let lead = '';
  for await (const { type, location, body } of parts) {
    yield Buffer.from(`${lead}--${boundary}\r\nContent-Type: ${type}\r\nContent-Location: ${location}\r\n\r\n`);
    yield* body;
    lead = '\r\n';
  }
  yield Buffer.from(`${lead}--${boundary}--\r\n`);
}

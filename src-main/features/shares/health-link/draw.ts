import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import type { Stamp, Watermark } from '../../../reading/providers/watermark/watermark.ts';
import type { RecordRepository } from '../record-repository.ts';
import { requireFile, UNREADABLE } from '../shared-files.ts';
import { MAX_FILE_BYTES } from './bundle.ts';

/** The stamped copy of one document. */
export interface Copy {
  id: number;
  mime: 'application/pdf' | 'image/png';
  data: Uint8Array<ArrayBuffer>;
}

/** Of all copies of a link together: they are in memory until they are encrypted. */
const MAX_TOGETHER_BYTES = 96 * 2 ** 20;

/** An error with the document that caused it. */
export class DocumentFailure extends Error {
  readonly documentId: number;
  constructor(documentId: number, cause: unknown) {
    super('a document could not be drawn', { cause });
    this.documentId = documentId;
  }
}

/**
 * Draws stamped copies of documents of a share, one after the other.
 * @param onPages told how many pages are done, of how many
 * @throws `DocumentFailure`, or the reason of `signal`
 */
export async function drawCopies(
  { records, resolve, watermark }: { records: RecordRepository; resolve(path: string): string; watermark: Watermark },
  { shareId, documentIds }: { shareId: string; documentIds: readonly number[] },
  options: {
    stamp: Stamp;
    language: CoreLanguage;
    signal: AbortSignal;
    onPages(done: number, total: number): void;
  },
): Promise<Copy[]> {
  const { stamp, language, signal, onPages } = options;
  const files = [];
  for (const id of documentIds) {
    signal.throwIfAborted();
    const file = await ofDocument(id, signal, () => Promise.resolve(requireFile({ records, resolve }, id, shareId)));
    files.push({ id, file, ...(await ofDocument(id, signal, () => watermark.describeCopy(file))) });
  }
  const total = files.reduce((sum, { pages }) => sum + pages, 0);
  let done = 0;
  let bytes = 0;
  onPages(done, total);
  const copies: Copy[] = [];
  for (const { id, file, type, pages } of files) {
    const before = done;
    const data = await ofDocument(id, signal, async () => {
      if (type === 'image/png') return gather([await watermark.watermarkImage(file, stamp, { signal })], signal);
      const onPage = (): void => onPages((done += 1), total);
      return gather(
        watermark.streamWatermarkedPdf(file, { stamp, unreadable: UNREADABLE[language], signal, onPage }),
        signal,
      );
    });
    bytes += data.length;
    if (bytes > MAX_TOGETHER_BYTES)
      throw fail('health_link.too_large', { limit: `${MAX_TOGETHER_BYTES / 2 ** 20} MB` });
    copies.push({ id, mime: type, data });
    done = before + pages;
    onPages(done, total);
  }
  return copies;
}

/** Says with which document something failed; an abort has no document. */
async function ofDocument<T>(id: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Failure ? error.code : null;
    if (code === 'server.stopping') throw error;
    // The words of the usual code are for recipients.
    throw new DocumentFailure(id, code === 'share.file_not_showable' ? fail('health_link.file_not_showable') : error);
  }
}

/** The bytes in a buffer of their own, which a thread can be given without a copy. */
async function gather(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    length += chunk.length;
    if (length > MAX_FILE_BYTES) throw fail('health_link.file_too_large', { limit: `${MAX_FILE_BYTES / 2 ** 20} MB` });
    parts.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

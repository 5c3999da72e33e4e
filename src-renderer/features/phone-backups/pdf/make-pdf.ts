import type { Block, Missing, PdfHead } from '../worker/pdf-export/blocks.ts';
import type { PdfExportReply, PdfExportRequest, RawPicture } from '../worker/pdf-export/protocol.ts';
import { kindOf } from '../preview/file-kind.ts';
import { DirectError, type BackupSource } from '../source/source.ts';

/** Content of a PDF: a head, then blocks in reading order. */
export interface PdfContent {
  head: Omit<PdfHead, 'isLong'>;
  blocks: readonly Block[];
}

/** Blocks laid out at a time; between batches the task reports progress and can be cancelled. */
const AT_ONCE = 200;
/** Longer PDFs are streamed page by page, so their footers omit the total page count. */
const LONG = 4000;
/** Larger ones are films or panoramas; after so many pictures only their names are set. */
const MAX_PICTURE_BYTES = 40 * 1024 * 1024,
  MAX_PICTURES = 2000;

/** Writes a PDF in a worker. `missing` counts characters of scripts without a font. Throws AbortError if aborted. */
export async function makePdf(
  { head, blocks }: PdfContent,
  source: BackupSource,
  { signal, progress }: { signal?: AbortSignal | undefined; progress?: (share: number) => void } = {},
): Promise<{ file: Blob; missing: Missing }> {
  const worker = new Worker(new URL('../worker/pdf-export.ts', import.meta.url), { type: 'module', name: 'paper' });
  try {
    await requestPdf(worker, { step: 'begin', head: { ...head, isLong: blocks.length > LONG } }, signal);
    let pictures = 0;
    for (let at = 0; at < blocks.length;) {
      signal?.throwIfAborted();
      const batch: Block[] = [],
        loaded = new Map<string, RawPicture>();
      // At most one picture per batch, because pictures use the most memory.
      while (at < blocks.length && batch.length < AT_ONCE && loaded.size === 0) {
        const block = blocks[at++];
        if (!block) continue;
        batch.push(block);
        if (block.kind !== 'picture' || pictures >= MAX_PICTURES) continue;
        const picture = await load(source, block.fileId, signal);
        if (picture) {
          loaded.set(block.fileId, picture);
          pictures += 1;
        }
      }
      await requestPdf(worker, { step: 'add', blocks: batch, pictures: loaded }, signal);
      progress?.(at / blocks.length);
    }
    const last = await requestPdf(worker, { step: 'end' }, signal);
    if (last.step !== 'done') throw new DirectError('fault');
    return { file: last.file, missing: last.missing };
  } finally {
    worker.terminate();
  }
}

function requestPdf(worker: Worker, call: PdfExportRequest, signal: AbortSignal | undefined): Promise<PdfExportReply> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', stop, { once: true });
    worker.onmessage = ({ data }: MessageEvent<PdfExportReply>) => {
      signal?.removeEventListener('abort', stop);
      if (data.step === 'failed') reject(new DirectError('fault'));
      else resolve(data);
    };
    worker.onerror = () => reject(new DirectError('fault'));
    worker.postMessage(call, call.step === 'add' ? [...call.pictures.values()].map(({ bytes }) => bytes.buffer) : []);
  });
}

async function load(source: BackupSource, fileId: string, signal: AbortSignal | undefined): Promise<RawPicture | null> {
  try {
    const size = await source.size(fileId, signal);
    if (size === 0 || size > MAX_PICTURE_BYTES) return null;
    const bytes = await source.bytes(fileId, 0, size, signal),
      kind = kindOf(bytes.subarray(0, 512));
    return kind === 'image' || kind === 'heic' ? { bytes, isHeic: kind === 'heic' } : null;
  } catch (error) {
    signal?.throwIfAborted();
    // The PDF names pictures that the backup doesn't contain; a locked backup ends it.
    if (
      [
        'missing_blob',
        'needs_device',
        'unknown_entry',
        'damaged_file',
        'damaged_key',
        'phone.file_missing',
        'phone.needs_device',
        'phone.file_not_found',
        'phone.file_damaged',
        'phone.not_a_file',
        'not_a_file',
      ].includes((error as { code?: string }).code ?? '')
    )
      return null;
    throw error;
  }
}

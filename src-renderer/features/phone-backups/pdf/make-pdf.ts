import type { Block, Missing, PdfHead } from '../worker/pdf-export/blocks.ts';
import type { PdfExportReply, PdfExportRequest, RawPicture } from '../worker/pdf-export/protocol.ts';
import { kindOf } from '../preview/file-kind.ts';
import { DirectError, type BackupSource } from '../source/source.ts';

/** Content of a PDF: a head, then blocks in reading order. */
export interface PdfContent {
  head: Omit<PdfHead, 'isLong'>;
  blocks: readonly Block[];
}

/** Blocks per request to the worker; between requests the task reports progress and can be cancelled. */
const BLOCKS_PER_BATCH = 200;
/** Longer PDFs are streamed page by page, so their footers omit the total page count. */
const MAX_BUFFERED_BLOCKS = 4000;
/** Larger image files, such as panoramas, are left out. */
const MAX_PICTURE_BYTES = 40 * 1024 * 1024;
/** The PDF only names the images after these. */
const MAX_PICTURES = 2000;
/** Bytes from which the kind of a file is detected. */
const HEAD_BYTES = 512;

/** Writes a PDF in a worker. `missing` counts characters of scripts without a font. Throws AbortError if aborted. */
export async function makePdf(
  { head, blocks }: PdfContent,
  source: BackupSource,
  { signal, progress }: { signal?: AbortSignal | undefined; progress?: (share: number) => void } = {},
): Promise<{ file: Blob; missing: Missing }> {
  const worker = new Worker(new URL('../worker/pdf-export.ts', import.meta.url), { type: 'module', name: 'paper' });
  try {
    await requestPdf(worker, { step: 'begin', head: { ...head, isLong: blocks.length > MAX_BUFFERED_BLOCKS } }, signal);
    let pictures = 0;
    for (let at = 0; at < blocks.length;) {
      signal?.throwIfAborted();
      const batch: Block[] = [],
        loaded = new Map<string, RawPicture>();
      // At most one picture per batch, because pictures use the most memory.
      while (at < blocks.length && batch.length < BLOCKS_PER_BATCH && loaded.size === 0) {
        const block = blocks[at++];
        if (!block) continue;
        batch.push(block);
        if (block.kind !== 'picture' || pictures >= MAX_PICTURES) continue;
        const picture = await loadPicture(source, block.fileId, signal);
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

/** Error codes of files that the backup does not contain, or that can't be decrypted. */
const UNREADABLE_CODES = [
  'missing_blob',
  'needs_device',
  'unknown_entry',
  'damaged_file',
  'damaged_record',
  'cut_file',
  'damaged_key',
  'not_a_file',
  'phone.file_missing',
  'phone.needs_device',
  'phone.file_not_found',
  'phone.file_damaged',
  'phone.record_damaged',
  'phone.file_cut',
  'phone.not_a_file',
];

async function loadPicture(
  source: BackupSource,
  fileId: string,
  signal: AbortSignal | undefined,
): Promise<RawPicture | null> {
  try {
    const size = await source.size(fileId, signal);
    if (size === 0 || size > MAX_PICTURE_BYTES) return null;
    const bytes = await source.bytes(fileId, 0, size, signal),
      kind = kindOf(bytes.subarray(0, HEAD_BYTES));
    return kind === 'image' || kind === 'heic' ? { bytes, isHeic: kind === 'heic' } : null;
  } catch (error) {
    signal?.throwIfAborted();
    // The PDF names images that the backup doesn't contain, but other errors end it: the backup was locked.
    if (UNREADABLE_CODES.includes((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

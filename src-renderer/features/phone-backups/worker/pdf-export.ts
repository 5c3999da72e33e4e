import regularUrl from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?url';
import boldUrl from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf?url';
import emojiUrl from '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf?url';
import symbolsUrl from '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf?url';
import { PdfWriter } from './pdf-export/pdf-writer.ts';
import type { PdfExportReply, PdfExportRequest, RawPicture } from './pdf-export/protocol.ts';
import { shrink } from './shrink-image.ts';

/** Writes one PDF with the bundled fonts; terminating the worker cancels it. */
const reply = (message: PdfExportReply): void => (self as unknown as Worker).postMessage(message);
const loadFont = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(url)).arrayBuffer());
/** Bytes collected before they become a blob, which the browser may move to the disk. */
const MIN_BLOB_BYTES = 8 * 1024 * 1024;

let writer: PdfWriter | null = null;
const blobs: Blob[] = [];
let chunks: Uint8Array<ArrayBuffer>[] = [];
let chunkBytes = 0;
let onEnd: () => void = () => {};

function addChunk(bytes: Uint8Array<ArrayBuffer>): void {
  chunks.push(bytes);
  chunkBytes += bytes.length;
  if (chunkBytes >= MIN_BLOB_BYTES) flushChunks();
}
function flushChunks(): void {
  blobs.push(new Blob(chunks));
  chunks = [];
  chunkBytes = 0;
}

async function toJpeg({ bytes, isHeic }: RawPicture, maxSide: number): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await (await shrink(bytes, isHeic, maxSide)).arrayBuffer());
  } catch {
    // The PDF shows the name of a damaged image, or of another kind of file.
    return null;
  }
}

async function handleRequest(request: PdfExportRequest): Promise<PdfExportReply> {
  if (request.step === 'begin') {
    const [regular, bold, emoji, symbols] = await Promise.all([
      loadFont(regularUrl),
      loadFont(boldUrl),
      loadFont(emojiUrl),
      loadFont(symbolsUrl),
    ]);
    writer = new PdfWriter(request.head, { regular, bold, emoji, symbols }, toJpeg, {
      onBytes: addChunk,
      onEnd: () => onEnd(),
    });
    return { step: 'ready' };
  }
  if (!writer) return { step: 'failed' };
  if (request.step === 'add') {
    for (const block of request.blocks) await writer.add(block, request.pictures);
    return { step: 'ready' };
  }
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const missing = writer.end();
  await ended;
  flushChunks();
  return { step: 'done', file: new Blob(blobs, { type: 'application/pdf' }), missing };
}

self.addEventListener('message', ({ data }: MessageEvent<PdfExportRequest>) => {
  void handleRequest(data).then(reply, () => reply({ step: 'failed' }));
});

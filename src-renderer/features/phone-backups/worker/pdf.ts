import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium';
import wasmUrl from '@hyzyla/pdfium/pdfium.wasm?url';
import type { PdfAnswer, PdfQuestion } from './pdf-protocol.ts';

/** Draws pages of one PDF by PDFium: nothing in the file can run, and a broken one takes only this worker with it. */
/** Pixels a point: sharp on a laptop, quick to draw. */
const SCALE = 2;
let document: PDFiumDocument | null = null;

const answer = (message: PdfAnswer, transfer: Transferable[] = []): void =>
  (self as unknown as Worker).postMessage(message, transfer);

self.addEventListener('message', ({ data }: MessageEvent<PdfQuestion>) => {
  void ('bytes' in data ? open(data.bytes) : draw(data.page)).catch(() => answer({ failed: true }));
});

async function open(bytes: Uint8Array): Promise<void> {
  const library = await PDFiumLibrary.init({ wasmUrl });
  document = await library.loadDocument(bytes);
  answer({ pages: document.getPageCount() });
}

async function draw(page: number): Promise<void> {
  if (!document) return;
  const { data, width, height } = await document
    .getPage(page)
    .render({ scale: SCALE, render: 'bitmap', colorSpace: 'BGRA' });
  const pixels = new Uint8ClampedArray(data);
  // PDFium writes blue first, a canvas wants red.
  for (let at = 0; at < pixels.length; at += 4) [pixels[at], pixels[at + 2]] = [pixels[at + 2] ?? 0, pixels[at] ?? 0];
  const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
  answer({ page, bitmap }, [bitmap]);
}

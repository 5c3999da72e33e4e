import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium';
import wasmUrl from '@hyzyla/pdfium/pdfium.wasm?url';
import type { PdfReply, PdfRequest } from './pdf-protocol.ts';

/**
 * Renders the pages of one PDF with PDFium. Scripts in the file do not run, and a file that crashes it ends only this
 * worker.
 */

/** Pixels per point: sharp on a laptop, and quick to render. */
const SCALE = 2;
let document: PDFiumDocument | null = null;

const reply = (message: PdfReply, transfer: Transferable[] = []): void =>
  (self as unknown as Worker).postMessage(message, transfer);

self.addEventListener('message', ({ data }: MessageEvent<PdfRequest>) => {
  void ('bytes' in data ? open(data.bytes) : draw(data.page)).catch(() => reply({ failed: true }));
});

async function open(bytes: Uint8Array): Promise<void> {
  const library = await PDFiumLibrary.init({ wasmUrl });
  document = await library.loadDocument(bytes);
  reply({ pages: document.getPageCount() });
}

async function draw(page: number): Promise<void> {
  if (!document) return;
  const { data, width, height } = await document
    .getPage(page)
    .render({ scale: SCALE, render: 'bitmap', colorSpace: 'BGRA' });
  const pixels = new Uint8ClampedArray(data);
  // PDFium writes BGRA, a canvas needs RGBA.
  for (let at = 0; at < pixels.length; at += 4) [pixels[at], pixels[at + 2]] = [pixels[at + 2] ?? 0, pixels[at] ?? 0];
  const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
  reply({ page, bitmap }, [bitmap]);
}

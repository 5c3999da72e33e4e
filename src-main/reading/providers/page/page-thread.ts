import { workerData } from 'node:worker_threads';
import type { PDFiumDocument } from '@hyzyla/pdfium';
import { serveTasks } from '../../../platform/kernel/serve-tasks.ts';
import { countRefusedGrowths, limitWasmMemory } from '../../../platform/kernel/web-assembly.ts';
import { grayscaleImage, inspectImage, pictureOfImage, throwDamaged } from './image.ts';
import { estimateDecodingMemory } from './image-memory.ts';
import { grayscalePdfPage, inspectPdf, openPdf, pictureOfPdfPage } from './pdf.ts';
import { documentLikelihood } from './document-likelihood.ts';
import { prepare } from './prepare/prepare.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import type { PageRequest, PageThreadData } from './requests.ts';
import { readTextLayer, type Layer } from './text-layer.ts';

/** The worker thread that opens files: PDFs by pdfium, images by sharp. `requests.ts` declares its requests. */
const { wasmBytes, isLastResort, ...limits } = workerData as PageThreadData;
limitWasmMemory(wasmBytes);
const PDF = 'application/pdf';
/** The core is busy while it takes a message. */
const MAX_LAYER_WORDS = 10_000;

const pageCount = (path: string, mime: string): Promise<number> =>
  mime === PDF ? inspectPdf(path, limits.maxPages) : inspectImage(path, mime, limits);

async function grayscalePage(path: string, mime: string, page: number): Promise<GrayscaleImage> {
  return mime === PDF
    ? grayscalePdfPage((await openPdf(path)).getPage(page - 1))
    : grayscaleImage(path, mime, page, limits.maxPixels);
}

async function picture({ path, mime, page, width, turn }: PageRequest & { op: 'picture' }): Promise<Uint8Array | null> {
  if (mime !== PDF)
    return page > (await inspectImage(path, mime, limits))
      ? null
      : pictureOfImage(path, mime, page, width, turn, limits.maxPixels);
  const document = await openPdf(path);
  return page > document.getPageCount() ? null : pictureOfPdfPage(document.getPage(page - 1), width, turn);
}

/** Text layers from one page on, at least that of the first one, until they have enough words for one message. */
function readLayers(document: PDFiumDocument, { from, to }: PageRequest & { op: 'layers' }): Layer[] {
  const layers: Layer[] = [];
  let words = 0;
  for (let page = from; page <= to && words < MAX_LAYER_WORDS; page += 1) {
    const layer = readTextLayer(document, page - 1);
    layers.push(layer);
    words += layer.words?.length ?? 0;
  }
  return layers;
}

async function answer(request: PageRequest): Promise<{ value: unknown; transfer?: ArrayBuffer[] }> {
  switch (request.op) {
    case 'estimate_memory':
      return { value: await estimateDecodingMemory(request.path, request.mime).catch(throwDamaged) };
    case 'inspect':
      return { value: { pages: await pageCount(request.path, request.mime) } };
    case 'layers':
      return { value: readLayers(await openPdf(request.path), request) };
    case 'prepare': {
      const prepared = prepare(await grayscalePage(request.path, request.mime, request.page), request.turn);
      const bytes = prepared.grayscale.data;
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
      return {
        value: { ...prepared, grayscale: { ...prepared.grayscale, data: own } },
        transfer: [own.buffer as ArrayBuffer],
      };
    }
    case 'likelihood':
      // An image that can't be decoded has no likelihood.
      return { value: await documentLikelihood(request.data).catch(() => null) };
    case 'picture':
      return { value: await picture(request) };
  }
}

serveTasks<PageRequest>(async (request) => {
  const refused = countRefusedGrowths();
  const result = await answer(request).catch((error: unknown) => {
    // Decoders that get no memory call the file damaged.
    throw countRefusedGrowths() === refused ? error : new Error('out of memory', { cause: error });
  });
  // A decoder may leave out what it has no memory for.
  if (!isLastResort && countRefusedGrowths() > refused) throw new Error('out of memory');
  return result;
});

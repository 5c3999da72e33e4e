import type { PDFiumDocument } from '@hyzyla/pdfium';
import { MANY_CHARACTERS, readTextLayer, type Layer } from '../page/text-layer.ts';

/** The calls of pdfium that show what its text changes on a page (fpdf_text.h, fpdf_edit.h, fpdfview.h). */
interface RawPdfium {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  HEAPF64: Float64Array;
  HEAP32: Int32Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(textPage: number): void;
  _FPDFText_CountChars(textPage: number): number;
  _FPDFText_GetUnicode(textPage: number, index: number): number;
  _FPDFText_GetTextObject(textPage: number, index: number): number;
  _FPDFText_GetFillColor(textPage: number, index: number, r: number, g: number, b: number, a: number): number;
  _FPDFText_GetCharBox(
    textPage: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFPageObj_SetIsActive(object: number, active: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, first: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, color: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
  _FPDF_PageToDevice(
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    px: number,
    py: number,
    dx: number,
    dy: number,
  ): number;
  _FPDF_ClosePage(page: number): void;
}

/** An open page, the memory for small answers of pdfium, and the size of its drawings in pixels. */
interface OpenPage {
  pdfium: RawPdfium;
  page: number;
  textPage: number;
  memory: number;
  width: number;
  height: number;
}
interface Drawing {
  pixels: Uint8Array;
  width: number;
}

const DPI = 150;
const MAX_SIDE = 2000;
/** `FPDFBitmap_Gray`, and `FPDF_ANNOT | FPDF_GRAYSCALE` of fpdfview.h. */
const GRAY = 1;
const WITH_ANNOTATIONS_IN_GRAY = 0x01 | 0x08;
/** Text of these modes draws nothing: 3 is invisible, 7 only clips (ISO 32000-1, 9.3.6). */
const DRAWS_NOTHING = new Set([3, 7]);
/** Modes that fill letters without an outline. */
const ONLY_FILLS = new Set([0, 4]);
/** Annotations without a text of their own: links and pop-ups (`FPDF_ANNOT_LINK`, `FPDF_ANNOT_POPUP`). */
const SILENT_ANNOTATIONS = new Set([2, 16]);
/** A difference of brightness that can be seen. */
const CONTRAST = 24;
/** Share of the box of a letter that its ink changes at least. */
const MIN_CHANGE = 0.05;
/** The ink of thinner letters, in pixels, may be beside their box. */
const MIN_INK_SIZE = 4;
/** Share of a letter on top of which another one is drawn. */
const COVERED = 0.5;
/** Letters so near to each other in the text touch, or are one ligature. */
const NEIGHBORS = 4;
/** So many letters on top of others are a text that is drawn over another one. */
const MANY_COVERED = 3;
/** If more of the letters can't be seen, the page is a scan with a text behind it, or hides something. */
const MAX_HIDDEN_SHARE = 0.1;

/**
 * Reads the words of a page (0-based index) that can be seen on it: a letter counts only if the page looks different
 * without its text, in the place of the letter. Its words are null if the page must be read by OCR instead, because text
 * is hidden, covered or drawn over other text, because annotations have text, or because there is no reliable text.
 */
export function readVisibleLayer(document: PDFiumDocument, index: number): Layer {
  const visible = findVisible(document, index);
  if (visible) return readTextLayer(document, index, (character) => visible[character] === 1);
  return { ...readTextLayer(document, index, () => false), words: null };
}

/** For each character of the page whether it can be seen, or null if the page must be read by OCR. */
function findVisible(document: PDFiumDocument, index: number): Uint8Array | null {
  const opened = document.getPage(index) as unknown as {
    module: RawPdfium;
    pageIdx: number;
    getOriginalSize(): { originalWidth: number; originalHeight: number };
  };
  const { module: pdfium, pageIdx: page } = opened;
  const { originalWidth, originalHeight } = opened.getOriginalSize();
  const scale = Math.min(DPI / 72, MAX_SIDE / Math.max(originalWidth, originalHeight));
  const [width, height] = [originalWidth, originalHeight].map((side) => Math.max(1, Math.ceil(side * scale))) as [
    number,
    number,
  ];
  const memory = pdfium.wasmExports.malloc(64);
  const textPage = pdfium._FPDFText_LoadPage(page);
  try {
    const open: OpenPage = { pdfium, page, textPage, memory, width, height };
    return hasSpeakingAnnotations(open) ? null : compareWithoutText(open);
  } finally {
    pdfium._FPDFText_ClosePage(textPage);
    pdfium._FPDF_ClosePage(page);
    pdfium.wasmExports.free(memory);
  }
}

function hasSpeakingAnnotations({ pdfium, page }: OpenPage): boolean {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  for (let i = 0; i < count; i += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, i);
    const type = pdfium._FPDFAnnot_GetSubtype(annotation);
    pdfium._FPDFPage_CloseAnnot(annotation);
    if (!SILENT_ANNOTATIONS.has(type)) return true;
  }
  return false;
}

function compareWithoutText(open: OpenPage): Uint8Array | null {
  const { pdfium, textPage } = open;
  const count = pdfium._FPDFText_CountChars(textPage);
  if (count > MANY_CHARACTERS) return null;
  const objects = Array.from({ length: count }, (_, i) => pdfium._FPDFText_GetTextObject(textPage, i));
  const withText = draw(open);
  const texts = new Set(objects.filter((object) => object !== 0));
  for (const object of texts) pdfium._FPDFPageObj_SetIsActive(object, 0);
  const without = draw(open);
  for (const object of texts) pdfium._FPDFPageObj_SetIsActive(object, 1);
  const visible = new Uint8Array(count);
  const letters = new Letters(withText, without);
  let shown = 0,
    hidden = 0;
  for (let i = 0; i < count; i += 1) {
    const code = pdfium._FPDFText_GetUnicode(textPage, i);
    const object = objects[i] ?? 0;
    // Spaces, and what pdfium itself adds between words and lines.
    if (object === 0 || code <= 0x20 || code === 0xa0) {
      visible[i] = 1;
      continue;
    }
    const box = boxOf(open, i);
    const isVisible = box !== null && isDrawn(open, i, object, without, box) && letters.add(box, i, code);
    visible[i] = isVisible ? 1 : 0;
    if (isVisible) shown += 1;
    else hidden += 1;
  }
  return letters.areCovered || hidden > MAX_HIDDEN_SHARE * (shown + hidden) ? null : visible;
}

/** The page in gray as it is drawn now. */
function draw({ pdfium, page, width, height }: OpenPage): Drawing {
  const pointer = pdfium.wasmExports.malloc(width * height);
  if (pointer === 0) throw new Error('out of memory');
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, GRAY, pointer, width);
  try {
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS_IN_GRAY);
    return { pixels: pdfium.HEAPU8.slice(pointer, pointer + width * height), width };
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap);
    pdfium.wasmExports.free(pointer);
  }
}

/** In pixels; right and bottom are outside. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The ink of a character on the drawing; null if it is not on the page. */
function boxOf({ pdfium, page, textPage, memory, width, height }: OpenPage, index: number): Box | null {
  if (!pdfium._FPDFText_GetCharBox(textPage, index, memory, memory + 8, memory + 16, memory + 24)) return null;
  const [left = 0, right = 0, bottom = 0, top = 0] = pdfium.HEAPF64.subarray(memory >> 3, (memory >> 3) + 4);
  const corner = (x: number, y: number): [number, number] => {
    pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, memory + 32, memory + 36);
    return [pdfium.HEAP32[(memory + 32) >> 2] ?? 0, pdfium.HEAP32[(memory + 36) >> 2] ?? 0];
  };
  const [x0, y0] = corner(left, top),
    [x1, y1] = corner(right, bottom);
  const box = {
    left: Math.max(0, Math.min(x0, x1)),
    right: Math.min(width, Math.max(x0, x1) + 1),
    top: Math.max(0, Math.min(y0, y1)),
    bottom: Math.min(height, Math.max(y0, y1) + 1),
  };
  return box.right > box.left && box.bottom > box.top ? box : null;
}

/** Whether a letter has a color that differs from what is behind it, and draws anything at all. */
function isDrawn(open: OpenPage, index: number, object: number, without: Drawing, box: Box): boolean {
  const { pdfium, textPage, memory } = open;
  const mode = pdfium._FPDFTextObj_GetTextRenderMode(object);
  if (DRAWS_NOTHING.has(mode)) return false;
  if (!ONLY_FILLS.has(mode)) return true;
  // Patterns have no color.
  if (!pdfium._FPDFText_GetFillColor(textPage, index, memory, memory + 4, memory + 8, memory + 12)) return true;
  const [red = 0, green = 0, blue = 0, alpha = 0] = pdfium.HEAPU32.subarray(memory >> 2, (memory >> 2) + 4);
  const brightness = (77 * red + 150 * green + 29 * blue) / 256;
  return (alpha / 255) * Math.abs(brightness - meanOf(without, box)) >= CONTRAST;
}

function meanOf({ pixels, width }: Drawing, { left, top, right, bottom }: Box): number {
  let sum = 0;
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += pixels[y * width + x] ?? 0;
  return sum / ((right - left) * (bottom - top));
}

/** The box of a thin letter, one pixel larger on each side. */
function withSurroundings(box: Box, width: number, height: number): Box {
  const { left, top, right, bottom } = box;
  if (Math.min(right - left, bottom - top) > MIN_INK_SIZE) return box;
  return {
    left: Math.max(0, left - 1),
    top: Math.max(0, top - 1),
    right: Math.min(width, right + 1),
    bottom: Math.min(height, bottom + 1),
  };
}

/** The letters found so far, by the pixels that they change. */
class Letters {
  readonly #withText: Drawing;
  readonly #without: Drawing;
  /** One more than the index of the letter that changes a pixel. */
  readonly #owners: Uint32Array;
  readonly #codes = new Map<number, number>();
  #covered = 0;

  constructor(withText: Drawing, without: Drawing) {
    this.#withText = withText;
    this.#without = without;
    this.#owners = new Uint32Array(withText.pixels.length);
  }

  /** Whether letters are drawn on top of others, so that nobody knows which of them can be seen. */
  get areCovered(): boolean {
    return this.#covered >= MANY_COVERED;
  }

  /** Adds the letter at an index of the text; returns whether the page looks different with it. */
  add(box: Box, index: number, code: number): boolean {
    const { pixels, width } = this.#withText;
    const { left, top, right, bottom } = withSurroundings(box, width, pixels.length / width);
    this.#codes.set(index, code);
    let changed = 0,
      taken = 0;
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) {
        const at = y * width + x;
        if (Math.abs((pixels[at] ?? 0) - (this.#without.pixels[at] ?? 0)) < CONTRAST) continue;
        changed += 1;
        const owner = (this.#owners[at] ?? 0) - 1;
        // Bold letters are sometimes drawn twice.
        if (owner >= 0 && index - owner > NEIGHBORS && this.#codes.get(owner) !== code) taken += 1;
        this.#owners[at] = index + 1;
      }
    if (taken > COVERED * changed) this.#covered += 1;
    return changed > 0 && changed >= MIN_CHANGE * (right - left) * (bottom - top);
  }
}

import type { PDFiumDocument } from '@hyzyla/pdfium';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { isGoodLayer } from './layer-quality.ts';

/** The calls of pdfium's text interface that the wrapper does not provide (fpdf_text.h, fpdfview.h). */
interface RawPdfium {
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
  HEAP32: Int32Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(textPage: number): void;
  _FPDFText_CountChars(textPage: number): number;
  _FPDFText_GetUnicode(textPage: number, index: number): number;
  _FPDFText_HasUnicodeMapError(textPage: number, index: number): number;
  _FPDFText_GetCharBox(
    textPage: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number;
  _FPDFText_GetLooseCharBox(textPage: number, index: number, rectangle: number): number;
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

export interface Layer {
  /** In points, after the page's /Rotate. */
  width: number;
  height: number;
  /** Null if the page has no reliable text and must be read by OCR. */
  words: PageWord[] | null;
}

/** Precision of the mapping from page to fractions. */
const UNITS = 1_000_000;
export const MANY_CHARACTERS = 200_000;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Where the character begins and ends with the space that its font gives it. */
  from: number;
  to: number;
}
interface Character {
  text: string;
  box: Box;
}

/**
 * Reads the text layer of a page (0-based index): its words with boxes in fractions of the page. Characters for which
 * `isRead` is false are left out.
 */
export function readTextLayer(
  document: PDFiumDocument,
  index: number,
  isRead: (character: number) => boolean = () => true,
): Layer {
  const page = document.getPage(index) as unknown as {
    module: RawPdfium;
    pageIdx: number;
    getOriginalSize(): { originalWidth: number; originalHeight: number };
  };
  const { module: pdfium, pageIdx } = page;
  const { originalWidth: width, originalHeight: height } = page.getOriginalSize();
  const memory = pdfium.wasmExports.malloc(64);
  const textPage = pdfium._FPDFText_LoadPage(pageIdx);
  try {
    const toShares = pageToShares(pdfium, pageIdx, memory);
    const count = Math.min(pdfium._FPDFText_CountChars(textPage), MANY_CHARACTERS);
    const words: PageWord[] = [];
    let errors = 0;
    let word: Character[] = [];
    let before: Box | null = null,
      pairs = 0,
      down = 0;
    const close = (): void => {
      for (const part of atGaps(word, width / height)) words.push(...toWords(part));
      word = [];
    };
    for (let i = 0; i < count; i += 1) {
      const text = String.fromCodePoint(validCodePoint(pdfium._FPDFText_GetUnicode(textPage, i)));
      if (!isRead(i)) {
        close();
        continue;
      }
      if (/\s|\u0000|\u00ad/.test(text)) {
        if (text === '\u00ad') continue;
        close();
        before = null;
        continue;
      }
      if (pdfium._FPDFText_HasUnicodeMapError(textPage, i) === 1 || /[\ufffd\ue000-\uf8ff]/.test(text)) errors += 1;
      const box = boxOf(pdfium, textPage, i, memory, toShares);
      if (!box) continue;
      if (before) {
        pairs += 1;
        if (runsDown(before, box, width / height)) down += 1;
      }
      before = box;
      const last = word.at(-1);
      if (last && !continues(last.box, box, width / height)) close();
      word.push({ text, box });
    }
    close();
    // Pages with vertical lines are read as an image, which is rotated first.
    const isLevel = down <= pairs / 2;
    return { width, height, words: isLevel && isGoodLayer(words, errors) ? words : null };
  } finally {
    pdfium._FPDFText_ClosePage(textPage);
    pdfium.wasmExports.free(memory);
    pdfium._FPDF_ClosePage(pageIdx);
  }
}

const validCodePoint = (code: number): number =>
  code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0xfffd : code;

type ToShares = (x: number, y: number) => [number, number];

/**
 * The affine map from page space (points, origin bottom left, before rotation) to fractions of the page as displayed.
 */
function pageToShares(pdfium: RawPdfium, pageIdx: number, memory: number): ToShares {
  const device = (x: number, y: number): [number, number] => {
    pdfium._FPDF_PageToDevice(pageIdx, 0, 0, UNITS, UNITS, 0, x, y, memory, memory + 4);
    return [(pdfium.HEAP32[memory >> 2] ?? 0) / UNITS, (pdfium.HEAP32[(memory >> 2) + 1] ?? 0) / UNITS];
  };
  const [ox, oy] = device(0, 0),
    [ax, ay] = device(1000, 0),
    [bx, by] = device(0, 1000);
  return (x, y) => [ox + ((ax - ox) * x + (bx - ox) * y) / 1000, oy + ((ay - oy) * x + (by - oy) * y) / 1000];
}

/**
 * The box of a character: as wide as its ink and as high as its font, so that all words of a line have the same height.
 */
function boxOf(pdfium: RawPdfium, textPage: number, index: number, memory: number, toShares: ToShares): Box | null {
  const at = memory >> 3,
    loose = (memory + 32) >> 2;
  if (!pdfium._FPDFText_GetCharBox(textPage, index, memory, memory + 8, memory + 16, memory + 24)) return null;
  const ink = {
    left: pdfium.HEAPF64[at] ?? 0,
    right: pdfium.HEAPF64[at + 1] ?? 0,
    bottom: pdfium.HEAPF64[at + 2] ?? 0,
    top: pdfium.HEAPF64[at + 3] ?? 0,
  };
  // FS_RECTF contains left, top, right, bottom. Characters of fonts with absurd metrics use the box of their ink.
  const hasFontBox = pdfium._FPDFText_GetLooseCharBox(textPage, index, memory + 32) !== 0;
  const font = { top: pdfium.HEAPF32[loose + 1] ?? 0, bottom: pdfium.HEAPF32[loose + 3] ?? 0 };
  const advance = { left: pdfium.HEAPF32[loose] ?? 0, right: pdfium.HEAPF32[loose + 2] ?? 0 };
  const inkHeight = Math.max(1, ink.top - ink.bottom);
  const usable = hasFontBox && font.top > font.bottom && font.top - font.bottom < 8 * inkHeight + 12;
  const [x0, y0] = toShares(ink.left, usable ? font.bottom : ink.bottom),
    [x1, y1] = toShares(ink.right, usable ? font.top : ink.top);
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
  const [from, to] = usable ? [toShares(advance.left, 0)[0], toShares(advance.right, 0)[0]] : [left, right];
  return { left, right, top: Math.min(y0, y1), bottom: Math.max(y0, y1), from, to };
}

/** A gap between two characters of this share of their height is a space; letters of one word touch each other. */
const SPACE = 0.13;
/** Where more of the gaps are so wide, the letters are spaced on purpose: "L A B O R". */
const SPACED_OUT = 0.4;
const MIN_GAPS = 4;

/** The letters of a ligature have one shape, and nobody knows where each of them ends. */
const isLigature = (first: Character | undefined, second: Character | undefined): boolean =>
  first !== undefined &&
  second !== undefined &&
  (/^f[fil]$/.test(first.text + second.text) ||
    second.box.left < first.box.right - OVERLAP * (second.box.right - second.box.left));
const OVERLAP = 0.1;

/**
 * Splits characters where a space is missing between them: some programs only move the next word to the right, and
 * pdfium does not notice narrow moves of old-style fonts.
 */
function atGaps(characters: Character[], aspect: number): Character[][] {
  if (characters.length === 0) return [];
  const gaps = characters.slice(1).map(({ box }, i) => {
    const before = characters[i]?.box ?? box;
    if (isLigature(characters[i - 1], characters[i])) return 0;
    const gap = Math.min(box.from - before.to, box.left - before.right);
    return (gap * aspect) / Math.max(box.bottom - box.top, before.bottom - before.top, 0.004);
  });
  const wide = gaps.filter((gap) => gap > SPACE).length;
  if (wide === 0 || gaps.length < MIN_GAPS || wide > SPACED_OUT * gaps.length) return [characters];
  const parts: Character[][] = [[]];
  characters.forEach((character, i) => {
    if (i > 0 && (gaps[i - 1] ?? 0) > SPACE) parts.push([]);
    parts.at(-1)?.push(character);
  });
  return parts;
}

/** Whether a character is next to the one before, on the same line. `aspect` is page width by height. */
function continues(a: Box, b: Box, aspect: number): boolean {
  const height = Math.max(a.bottom - a.top, b.bottom - b.top, 0.004);
  const gap = (b.left - a.right) * aspect;
  const apart = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return gap < 0.6 * height && gap > -2.5 * height && apart > -0.6 * height;
}

/** Whether the second of two neighbors is below or above the first rather than beside it. */
function runsDown(a: Box, b: Box, aspect: number): boolean {
  const dx = (b.left + b.right - a.left - a.right) * aspect,
    dy = b.top + b.bottom - a.top - a.bottom;
  return Math.abs(dy) > Math.abs(dx);
}

/** Replaces ligatures by their letters (Unicode compatibility forms): `ﬁ` → `fi`. */
const unligated = (text: string): string => text.replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'));

/** pdfium marks a hyphen at the end of a line by U+0002; inside a narrow cell the word goes on below it. */
const hyphenated = (text: string): string => text.replace(/\u0002(?=\p{Ll})/gu, '').replaceAll('\u0002', '-');

function toWords(characters: Character[]): PageWord[] {
  const printed = characters.map((character) => character.text).join('');
  const text = hyphenated(unligated(printed)).normalize('NFC');
  const left = Math.min(...characters.map(({ box }) => box.left)),
    right = Math.max(...characters.map(({ box }) => box.right));
  const top = Math.min(...characters.map(({ box }) => box.top)),
    bottom = Math.max(...characters.map(({ box }) => box.bottom));
  // Text outside the visible part of the page is ignored.
  if (right <= 0 || bottom <= 0 || left >= 1 || top >= 1) return [];
  return [{ text, x: left, y: top, w: right - left, h: bottom - top, confidence: 1 }];
}

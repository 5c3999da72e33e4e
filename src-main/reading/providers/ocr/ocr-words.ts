import type { PageWord } from '../../../../src-shared/medical/page.ts';

/** A word as returned by an engine: pixels, confidence 0–100. */
export interface RawWord {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
  confidence: number;
}

/** Words with a lower confidence are noise. */
const MIN_CONFIDENCE = 12;
/**
 * OCR reads table rules and borders as strokes. A lone dash or star is used only with sufficient confidence;
 * comparators turn a number into a range and are nearly always used.
 */
const STROKES = /^[|¦_—–\-=~.:;,'`´"“”‘’°^*<>\\/()[\]{}]+$/;
const SURE_SIGN = 45;
const SURE_COMPARATOR = 20;

/** Minimum confidence of a stroke. */
function minConfidenceOfStroke(text: string): number {
  if (/^[<>≤≥]=?$/.test(text)) return SURE_COMPARATOR;
  return /^[+\-–—*]{1,3}$/.test(text) ? SURE_SIGN : Infinity;
}

/** Words of a page in fractions of its size, without noise. */
export function toWords(raw: readonly RawWord[], page: { width: number; height: number }): PageWord[] {
  const heights = raw
    .filter((word) => word.text.length > 1)
    .map((word) => word.height)
    .sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 0;
  return raw.flatMap((word) => {
    const text = word.text.trim();
    const isStroke = STROKES.test(text);
    if (text === '' || word.confidence < MIN_CONFIDENCE) return [];
    if (isStroke && word.confidence < minConfidenceOfStroke(text)) return [];
    if (usual > 0 && word.height > 6 * usual) return [];
    return [
      {
        text,
        x: word.left / page.width,
        y: word.top / page.height,
        w: word.width / page.width,
        h: word.height / page.height,
        confidence: Math.min(1, word.confidence / 100),
      },
    ];
  });
}

/** Model names of the supported languages (ISO 639-2/T). */
export const MODELS = { en: 'eng', de: 'deu', fr: 'fra', it: 'ita' } as const;

/** Portable graymap (netpbm), the simplest image format, which needs no compression. */
export function toPgm({ pixels, width, height }: { pixels: Uint8Array; width: number; height: number }): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

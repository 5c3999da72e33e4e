import type { PageWord } from '../../../../src-shared/medical/page.ts';

/** A word as an engine gives it: pixels, confidence 0–100. */
export interface RawWord {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
  confidence: number;
}

/** Less sure than this is dirt. */
const MIN_CONFIDENCE = 12;
/**
 * Rules of tables and borders come as strokes. A lone dash or star stays when the engine is fairly sure; comparators
 * make a range of a number and nearly always stay.
 */
const STROKES = /^[|¦_—–\-=~.:;,'`´"“”‘’°^*<>\\/()[\]{}]+$/;
const SURE_SIGN = 45;
const SURE_COMPARATOR = 20;

/** How sure the engine must be of a stroke for it to remain. */
function minConfidenceOfStroke(text: string): number {
  if (/^[<>≤≥]=?$/.test(text)) return SURE_COMPARATOR;
  return /^[+\-–—*]{1,3}$/.test(text) ? SURE_SIGN : Infinity;
}

/** Words of a page in shares, without what no person would call a word. */
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

/** The OCR models' names of our languages (ISO 639-2/T). */
export const MODELS = { en: 'eng', de: 'deu', fr: 'fra', it: 'ita' } as const;

/** Portable greymap (netpbm): the plainest picture format, that needs no compressing. */
export function toPgm({ pixels, width, height }: { pixels: Uint8Array; width: number; height: number }): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

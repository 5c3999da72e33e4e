import type { BBox, PageWord } from '../../../../src-shared/medical/page.ts';
import type { Place } from '../extraction.ts';

/** The smallest box around boxes, in fractions of the page; an empty list gives an empty box. */
export function boxAround(boxes: readonly { x: number; y: number; w: number; h: number }[]): BBox {
  if (boxes.length === 0) return [0, 0, 0, 0];
  let left = Infinity,
    top = Infinity,
    right = -Infinity,
    bottom = -Infinity;
  for (const b of boxes) {
    left = Math.min(left, b.x);
    top = Math.min(top, b.y);
    right = Math.max(right, b.x + b.w);
    bottom = Math.max(bottom, b.y + b.h);
  }
  return [left, top, right - left, bottom - top];
}

/** Bounding box of words of one page. */
export function placeOf(page: number, words: readonly PageWord[]): Place {
  return { page, bbox: boxAround(words) };
}

/** Mean confidence of words (0–1), weighted by their length; 1 for no words. */
export function confidenceOf(words: readonly PageWord[]): number {
  let sum = 0,
    weight = 0;
  for (const word of words) {
    sum += word.confidence * word.text.length;
    weight += word.text.length;
  }
  return weight === 0 ? 1 : sum / weight;
}

/** Middle value of numbers; 0 for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Overlap of two spans as a fraction of the narrower one: 0 (separate) to 1 (one contains the other). */
export function overlapShare(aStart: number, aLength: number, bStart: number, bLength: number): number {
  const common = Math.min(aStart + aLength, bStart + bLength) - Math.max(aStart, bStart);
  const narrower = Math.min(aLength, bLength);
  return narrower <= 0 ? 0 : Math.max(0, common / narrower);
}

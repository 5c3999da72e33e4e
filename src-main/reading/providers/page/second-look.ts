import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { linesOfPage, type Line } from '../../extraction/layout/lines.ts';
import type { OcrProvider } from '../provider.ts';
import { enlarge, MARGIN } from './enlarge.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';

/** A page with fewer lines of numbers has no table; one with more cells than the maximum is not read again. */
const MIN_LINES = 3;
const MAX_CELLS = 150;
/** A second reading that contradicts the first one is used only with this confidence. */
const SURE = 0.8;

/** A number or range without a decimal mark that may have lost one, with signs around it: `122`, `<35]`, `19-38`. */
const MAY_LACK_POINT = /^([[(<>≤≥]*)(\d{2,5}(?:[-–]\d{1,5})?)([\])*,;]*)$/;
const HAS_POINT = /\d[.,]\d/;
const WELL_FORMED = /^\d+(?:[.,]\d+)?(?:[-–]\d+(?:[.,]\d+)?)?$/;

/**
 * Reads numbers without a decimal mark again, each cut out, enlarged and alone on its line, because OCR of a whole page
 * loses points. If both readings have the same digits, the one with points is right; if a sure second reading has other
 * digits, the word keeps both.
 */
export async function lookAgain(
  ocr: Pick<OcrProvider, 'readPage'>,
  image: GrayscaleImage,
  words: readonly PageWord[],
  signal: AbortSignal,
): Promise<PageWord[]> {
  const cells = cellsToReadAgain(words);
  const again = new Map<PageWord, PageWord>();
  for (const word of cells) {
    if (signal.aborted) break;
    const { data: pixels, width, height } = cutOut(image, word, words);
    const answer = await ocr.readPage({ pixels, width, height }, { languages: ['en'], signal, asNumber: true });
    if (!answer.ok) continue;
    const second = answer.value.words.map(({ text }) => text).join('');
    const confidence = Math.min(1, ...answer.value.words.map((one) => one.confidence));
    again.set(word, mergeReadings(word, second, confidence));
  }
  return words.map((word) => again.get(word) ?? word);
}

/** The word with the more trustworthy of its two readings. */
export function mergeReadings(word: PageWord, second: string, confidence: number): PageWord {
  const [, before = '', first = '', after = ''] = MAY_LACK_POINT.exec(word.text) ?? [];
  const plain = second.replace(/^[^\d]+|[^\d]+$/g, '').replaceAll('–', '-');
  if (first === '' || !WELL_FORMED.test(plain)) return word;
  const digitsOf = (text: string): string => text.replace(/\D/g, '');
  if (digitsOf(plain) === digitsOf(first)) {
    const isSameShape = plain.includes('-') === /[-–]/.test(first);
    return HAS_POINT.test(plain) && isSameShape ? { ...word, text: before + plain + after } : word;
  }
  return confidence >= SURE ? { ...word, secondReading: plain } : word;
}

/** Numbers of tables that may have lost a point; none on a page that prints no decimals. */
export function cellsToReadAgain(words: readonly PageWord[]): PageWord[] {
  if (!words.some(({ text }) => HAS_POINT.test(text))) return [];
  const lines = linesOfPage({ words: [...words], page: 1, width: 595 });
  const rows = lines.filter(isRow);
  if (rows.length < MIN_LINES) return [];
  const own = new Set(words);
  const cells = rows.flatMap((line) => line.words.filter((word) => own.has(word) && MAY_LACK_POINT.test(word.text)));
  return cells.length > MAX_CELLS ? [] : cells;
}

/** A row of a table has a name and, in another place, a number. */
const isRow = ({ segments, words }: Line): boolean =>
  segments.length > 1 &&
  words.some(({ text }) => /\p{L}{2}/u.test(text)) &&
  segments.slice(1).some(({ text }) => /^[[(<>≤≥]?\s?\d/.test(text));

/** The enlarged cell of a word with blank paper around it, which does not reach into its neighbors. */
function cutOut({ data, width, height }: GrayscaleImage, word: PageWord, words: readonly PageWord[]): GrayscaleImage {
  const margin = MARGIN * word.h * height;
  const middle = word.y + word.h / 2;
  const beside = words.filter((other) => other !== word && other.y < middle && other.y + other.h > middle);
  const freeLeft =
    Math.min(...beside.filter(({ x }) => x < word.x).map((other) => word.x - other.x - other.w), 1) * width;
  const freeRight = Math.min(...beside.filter(({ x }) => x > word.x).map(({ x }) => x - word.x - word.w), 1) * width;
  const left = Math.max(0, Math.floor(word.x * width - Math.max(0, Math.min(margin, freeLeft / 2))));
  const right = Math.min(width, Math.ceil((word.x + word.w) * width + Math.max(0, Math.min(margin, freeRight / 2))));
  const top = Math.max(0, Math.floor(word.y * height - margin / 2));
  const bottom = Math.min(height, Math.ceil((word.y + word.h) * height + margin / 2));
  return enlarge(
    { data, width, height },
    { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) },
  );
}

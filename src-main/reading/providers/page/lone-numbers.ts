import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { median } from '../../extraction/layout/geometry.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import { cutOut, partAround, withoutAnswer } from './second-look.ts';
import { findUnread, follows, type Box } from './unrecognized-glyphs.ts';

/** Print in more places than this is not the rest of a table. */
const MAX_PLACES = 60;
/** A number is read where the recognizer is so sure of it. */
const SURE = 0.8;
/** Middles of the numbers of a column, as a fraction of the page width. */
const SAME_COLUMN = 0.025;
/** A number in a cell: "1", "0,5", "½", "1/2". */
const NUMBER = /^(?:\d{1,4}(?:[.,/]\d{1,3})?|½|1½)$/u;

/**
 * Reads print that no word covers and that is a number in a column of such: OCR of a page skips a digit that is alone in
 * the cell of a table. `letters` has left, top, right and bottom of each dark component. Returns all words.
 */
export async function readLoneNumbers(
  numbers: Pick<NumberReader, 'readNumbers'>,
  { grayscale, letters }: { grayscale: GrayscaleImage; letters: Int32Array },
  words: readonly PageWord[],
  signal: AbortSignal,
): Promise<PageWord[]> {
  const places = placesOf(grayscale, letters, words);
  if (places.length === 0 || places.length > MAX_PLACES || signal.aborted) return [...words];
  const images = places.map((place) =>
    cutOut(grayscale, partAround(grayscale, { words: [place] }, [...words, ...places])),
  );
  const read = await numbers.readNumbers(images, signal).catch(withoutAnswer);
  const found = places.flatMap((place, index) => {
    const { text = '', confidence = 0 } = read[index] ?? {};
    const number = text.replace(/^[Il]$/, '1').replace(/^[Oo]$/, '0');
    return confidence >= SURE && NUMBER.test(number) ? [{ ...place, text: number, confidence }] : [];
  });
  // The recognizer takes pieces of rules for ones, but OCR of the page reads no numbers above or below those.
  const known = words.filter(({ text }) => NUMBER.test(text));
  return [...words, ...found.filter((one) => isInColumn(one, known) && isInRow(one, words))];
}

/** Unread print as words without text: neighboring letters are one. */
function placesOf({ width, height }: GrayscaleImage, letters: Int32Array, words: readonly PageWord[]): PageWord[] {
  const boxes = words.map(({ x, y, w, h }): Box => ({
    ...{ left: x * width, top: y * height, right: (x + w) * width, bottom: (y + h) * height },
  }));
  const usual = median(boxes.map(({ top, bottom }) => bottom - top));
  const places: Box[] = [];
  for (const letter of findUnread(letters, boxes, usual).toSorted((a, b) => a.left - b.left)) {
    const home = places.find((place) => follows(place, letter, usual));
    if (home)
      Object.assign(home, {
        right: Math.max(home.right, letter.right),
        top: Math.min(home.top, letter.top),
        bottom: Math.max(home.bottom, letter.bottom),
      });
    else places.push({ ...letter });
  }
  return places.map(({ left, top, right, bottom }) => ({
    ...{ text: '', confidence: 0 },
    ...{ x: left / width, y: top / height, w: (right - left + 1) / width, h: (bottom - top + 1) / height },
  }));
}

const middle = ({ x, w }: PageWord): number => x + w / 2;
const isInColumn = (one: PageWord, known: readonly PageWord[]): boolean =>
  known.some((other) => Math.abs(middle(other) - middle(one)) < SAME_COLUMN);
/** Whether there is a word to the left at about the same height. */
const isInRow = (one: PageWord, words: readonly PageWord[]): boolean =>
  words.some(
    (word) =>
      /\p{L}{2}/u.test(word.text) &&
      word.x + word.w < one.x &&
      Math.abs(word.y + word.h / 2 - one.y - one.h / 2) < 1.5 * Math.max(word.h, one.h),
  );

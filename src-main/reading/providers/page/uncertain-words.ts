import type { Language, PageWord } from '../../../../src-shared/medical/page.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import { fold } from '../../extraction/fold.ts';
import { median } from '../../extraction/layout/geometry.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import type { ReadNumber } from '../numbers/requests.ts';
import type { OcrProvider } from '../provider.ts';
import { enlarge } from './enlarge.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import { cutOut, partAround, wordAround, withoutAnswer } from './second-look.ts';
import { onPage } from './unread-cells.ts';

/** Words with less confidence are read again, at most so many of a page. */
const UNSURE = 0.7,
  UNSURE_TALL = 0.85;
const MAX_WORDS = 40;
/** Heights of a stroke, and of two lines that were read as one word, in usual heights of a word. */
const STROKE = 0.5,
  TWO_LINES = 1.4;
/** A new reading with this confidence is believed; a single one of letters needs more. */
const SURE = 0.8,
  CLEAR = 0.9;
/** Letters with less confidence are hardly readable: a number in their place needs no more than this. */
const DISTINCT = 0.5,
  LIKELY = 0.45;

/** Such words are read again with their table. */
const PLAIN_NUMBER = /^[[(<>≤≥]?\d+(?:[.,]\d+)?[)\]]?$/;
const NUMBER = /^[<>≤≥]?\d+(?:[.,]\d+)?(?:-\d+(?:[.,]\d+)?)?$/;
const WITH_UNIT = /^([<>≤≥]?\d+(?:[.,]\d+)?)(%|\p{L}.*)$/u;

interface Readers {
  ocr: Pick<OcrProvider, 'readPage'>;
  numbers: Pick<NumberReader, 'readNumbers'>;
}

/** Words that are cut out together, and whether they have the height of several lines. */
interface Group {
  words: PageWord[];
  isTall: boolean;
}

/**
 * Reads the words of low confidence again, each cut out and enlarged, by the OCR of pages and by the recognizer of
 * numbers: rules, noise and other columns spoil words of a whole page that both read well alone. A word that is as high
 * as two lines is what OCR made of both, and becomes their words.
 */
export async function readUncertainWords(
  { ocr, numbers }: Readers,
  image: GrayscaleImage,
  words: readonly PageWord[],
  { languages, signal }: { languages: readonly Language[]; signal: AbortSignal },
): Promise<PageWord[]> {
  const groups = uncertainGroups(words, image);
  if (groups.length === 0 || signal.aborted) return [...words];
  const parts = groups.map((group) => partAround(image, group, words));
  const second = await numbers
    .readNumbers(
      parts.map((part) => cutOut(image, part)),
      signal,
    )
    .catch(withoutAnswer);
  const replaced = new Map<PageWord, PageWord[]>();
  for (const [index, group] of groups.entries()) {
    const part = parts[index];
    if (!part || signal.aborted) break;
    const { data: pixels, width, height } = enlarge(image, part);
    const answer = await ocr.readPage({ pixels, width, height }, { languages, signal, asBlock: true });
    const again = answer.ok ? answer.value.words.map((word) => onPage(word, part, image)) : [];
    const better = chooseReading(group, again, second[index] ?? { text: '', confidence: 0 });
    if (better) group.words.forEach((word, at) => replaced.set(word, at === 0 ? better : []));
  }
  return words.flatMap((word) => replaced.get(word) ?? [word]);
}

/** The words of low confidence, the lowest first; neighbors that are as high as two lines belong together. */
export function uncertainGroups(words: readonly PageWord[], { width, height }: Omit<GrayscaleImage, 'data'>): Group[] {
  const usual = median(words.flatMap((word) => (word.confidence >= SURE && word.text.length > 1 ? [word.h] : [])));
  const groups: Group[] = [];
  for (const word of words) {
    const isTall = word.h > TWO_LINES * usual;
    const isWord = /[\p{L}\d]/u.test(word.text) && word.h > STROKE * usual && usual > 0;
    if (word.confidence >= (isTall ? UNSURE_TALL : UNSURE) || !isWord || (!isTall && PLAIN_NUMBER.test(word.text)))
      continue;
    const isBeside = (before: PageWord): boolean =>
      Math.abs(word.x - before.x - before.w) * width < usual * height && Math.abs(before.y - word.y) < usual;
    const home = isTall ? groups.find((group) => group.isTall && group.words.some(isBeside)) : undefined;
    if (home) home.words.push(word);
    else groups.push({ words: [word], isTall });
  }
  return groups.toSorted((a, b) => confidenceOf(a) - confidenceOf(b)).slice(0, MAX_WORDS);
}

const confidenceOf = ({ words }: Group): number => Math.min(...words.map((word) => word.confidence));

/** The words in place of a group; null if the first reading stays. */
export function chooseReading(group: Group, again: readonly PageWord[], number: ReadNumber): PageWord[] | null {
  const [word] = group.words;
  if (!word) return null;
  const read = again.filter(({ text }) => /[\p{L}\d%*]/u.test(text));
  const isSure = read.length > 0 && read.every(({ confidence }) => confidence >= SURE);
  if (group.isTall && isSure) return read;
  const text = number.text.normalize('NFKC').trim();
  const first = group.words.map((one) => one.text).join(' ');
  const byNumbers = (confidence: number, other?: string): PageWord[] =>
    splitText({ ...wordAround(group.words), confidence }, text, other);
  if (text === first || read.map((one) => one.text).join(' ') === first) return null;
  const [only] = read;
  if (read.length === 1 && only && text !== '' && fold(only.text) === fold(text) && number.confidence >= DISTINCT)
    return [{ ...wordAround(group.words), text: only.text, confidence: Math.max(only.confidence, number.confidence) }];
  if (number.confidence >= SURE && /[\d/%]/.test(text)) return byNumbers(number.confidence);
  if (isSure && !group.isTall) return read;
  const before = confidenceOf(group);
  if (number.confidence >= CLEAR && before < DISTINCT && /\p{L}{2}/u.test(text)) return byNumbers(number.confidence);
  const isGuess = before <= DISTINCT && !/\d/.test(first);
  return isGuess && number.confidence >= LIKELY && NUMBER.test(text) ? byNumbers(number.confidence, first) : null;
}

/** A reading as words, each with its part of the box: "2,5mg" and "12,6 !" are two. */
function splitText(box: PageWord, text: string, secondReading?: string): PageWord[] {
  const [, number = '', unit = ''] = WITH_UNIT.exec(text) ?? [];
  const parts = unit !== '' && ucumOf(unit) !== null ? [number, unit] : text.split(/\s+/);
  const letters = parts.join('').length;
  let x = box.x;
  return parts.map((part) => {
    const w = (box.w * part.length) / letters;
    const word = { ...box, text: part, x, w, ...(secondReading !== undefined && { secondReading }) };
    x += w;
    return word;
  });
}

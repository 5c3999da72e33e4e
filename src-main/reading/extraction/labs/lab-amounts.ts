import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { mentions } from '../languages/assertion.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';
import { isKnownTest, isWordResult } from './lab-words.ts';
import { isNameOfTest } from './plausible-limits.ts';

/** So many tests of which each has an amount, a word or a number are a list. */
const MIN_TESTS = 3;
const MIN_KNOWN = 2;
const MAX_NAME_WORDS = 3;
const MAX_RESULT_WORDS = 2;

interface Amount {
  name: PageWord[];
  result: PageWord;
  isInWords: boolean;
}

/**
 * The results of a test strip in a sentence, each as a line of its own: "Urinstix: Leu +, Nit neg, Prot ++, pH 6,0". No
 * lines for a text with anything else in it.
 */
export function amountsInSentence(line: Line): Line[] {
  const comma = line.words.findIndex(({ text }) => /[,;]$/.test(text));
  const start = line.words.slice(0, Math.max(0, comma)).findLastIndex(({ text }) => text.endsWith(':')) + 1;
  const introduction = line.words.slice(0, start).map(({ text }) => text);
  if (comma < 0 || mentions('past', introduction.join(' '))) return [];
  const parts = partsOf(line.words.slice(start));
  const amounts = parts.flatMap((words) => amountOf(words) ?? []);
  const known = amounts.filter(({ name }) => isTest(name.map(({ text }) => text).join(' ')));
  const inWords = amounts.filter(({ isInWords }) => isInWords);
  const isList = amounts.length === parts.length && amounts.length >= MIN_TESTS;
  if (!isList || known.length < MIN_KNOWN || inWords.length < MIN_KNOWN) return [];
  return amounts.map(({ name, result }) => partOf(line, [segmentOf(name), segmentOf([result])]));
}

const isTest = (name: string): boolean => isKnownTest(name) || isNameOfTest(name);

/** The words between commas. */
function partsOf(words: readonly PageWord[]): PageWord[][] {
  const ends = words.flatMap(({ text }, i) => (/[,;]$/.test(text) || i === words.length - 1 ? [i + 1] : []));
  return ends.map((end, i) => words.slice(ends[i - 1] ?? 0, end));
}

/** A name and its amount: "Prot ++", "Nitrit negativ", "pH 6,0"; null for other words. */
function amountOf(words: readonly PageWord[]): Amount | null {
  for (let count = MAX_RESULT_WORDS; count > 0; count -= 1) {
    const [name, own] = [words.slice(0, -count), words.slice(-count)];
    const [first, last] = [own[0], own.at(-1)];
    const text = own
      .map((word) => word.text)
      .join(' ')
      .replace(/[,;.]+$/, '');
    const isNumber = /^\d+(?:[.,]\d+)?$/.test(text);
    const isName =
      name.length > 0 && name.length <= MAX_NAME_WORDS && name.every((word) => /^\P{N}*$/u.test(word.text));
    if (first && last && isName && (isNumber || isWordResult(text)))
      return { name, result: { ...first, text, w: last.x + last.w - first.x }, isInWords: !isNumber };
  }
  return null;
}

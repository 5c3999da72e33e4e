import type { FoundLabResult } from '../extraction.ts';
import { foldWords } from '../fold.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { isKnownMedicine } from '../medicines/medicine-names.ts';
import { doubted } from './doubted.ts';
import { hasAnyRange, lineOf } from './lab-doubt.ts';
import { SYMBOLS } from './lab-names.ts';
import { isKnownTest, isListedTest, isNearTest, LISTED_TESTS } from './lab-words.ts';
import { isNameOfTest } from './plausible-limits.ts';

/** Signs that no name has, and that OCR reads in letters. */
const NO_SIGN_OF_NAMES = /[©®™¢£¥€§«»\\{}~^=_?!;"“”]/u;

/** The words in names of tests. */
const WORDS = new Set(LISTED_TESTS.flatMap((name) => name.split(' ')));

/**
 * Marks the rows whose names look damaged: in a scan those of no known test, in any print those with words of something
 * else before the name of a test, such as a letterhead beside the results.
 */
export const addDoubtsOfNames = (rows: FoundLabResult[], { source }: Pick<LayoutPage, 'source'>): FoundLabResult[] =>
  rows.map((row) =>
    (source === 'ocr' && isUnknown(row)) || hasWordsBefore(row.test_name_original) ? doubted(row, 'poor_print') : row,
  );

/** "Birke (t3)", "f49 Apfel": the code of an allergen. */
const ALLERGEN = /(?:^|[\s(])[a-z]\d{1,3}(?:[)\s]|$)/u;

/** Whether a name is of no test, allergen, antibiotic or other medicine whose level is measured. */
function isUnknown({ test_name_original: name, value, unit }: FoundLabResult): boolean {
  if (NO_SIGN_OF_NAMES.test(name)) return true;
  // Results in words have names of all kinds; a damaged one is near that of a test.
  if (value === null) return isNearTest(name) && !isNameOfTest(name);
  if (ALLERGEN.test(name) || /^k?UA?\//.test(unit ?? '')) return false;
  // "HGB Emoglobina": an abbreviation before the name.
  const isKnown = [name, name.slice(name.indexOf(' ') + 1)].some(
    (one) => isKnownTest(one) || isNameOfTest(one) || SYMBOLS.test(one),
  );
  return !isKnown && !name.split(/[\s/-]/u).some((word) => isKnownMedicine(word));
}

/** One word before a test may describe it: "Adjusted calcium". */
const MIN_WORDS_BEFORE = 2;
/** "Orsola Belfanti MCV", "18033 Camporosso Emoglobina": unknown words with a capital, or a number, before a test. */
function hasWordsBefore(name: string): boolean {
  const words = name.split(' ');
  const isTestAt = (at: number): boolean => isListedTest(words.slice(at).join(' '));
  const at = words.findIndex((_, i) => i > 0 && isTestAt(i));
  if (at < MIN_WORDS_BEFORE || isListedTest(name)) return false;
  return words
    .slice(0, at)
    .every((word) => /^(?:\p{Lu}\p{L}+|\d{4,})$/u.test(word) && foldWords(word).every((own) => !WORDS.has(own)));
}

/** A text of so many words and nothing else in its line is a sentence. */
const MIN_WORDS_OF_SENTENCE = 6;

/**
 * Marks the only number of a document if a sentence names it without a range: it may be from another paper, of which
 * this one only tells.
 */
export function addDoubtOfMention(
  rows: FoundLabResult[],
  pages: readonly Pick<LayoutPage, 'page' | 'lines'>[],
): FoundLabResult[] {
  const [row, ...others] = rows;
  if (!row || others.length > 0 || row.value === null || row.unit === null || hasAnyRange(row)) return rows;
  const line = lineOf(row, pages.find(({ page }) => page === row.place?.page)?.lines ?? []);
  const isSentence = line?.segments.length === 1 && line.words.length >= MIN_WORDS_OF_SENTENCE;
  return isSentence ? [doubted(row, 'range_missing')] : rows;
}

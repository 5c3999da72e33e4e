import { fullName, parsePersonName, type PersonName } from '../../../../src-shared/medical/person-name.ts';
import { editDistance, foldWords } from '../fold.ts';
import type { KnownPatient } from '../extraction.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';

/** A household member's name printed on a page. */
export interface KnownName {
  patient: KnownPatient;
  line: Line;
  words: PageWord[];
  /** 1 for an exact match, less with OCR errors. */
  similarity: number;
}

/** Characters that OCR prints inside a word in place of an accented letter: "Hel&ne". */
const MISREAD_LETTER = /(?<=\p{L})[&@*|^~#%$€§](?=\p{L})/gu;

/**
 * Finds names of household members anywhere on the pages: the words of a name side by side in any order, ignoring
 * accents and OCR errors.
 */
export function findKnownNames(
  layout: Layout,
  household: readonly KnownPatient[],
  dateOfBirth: string | null,
): KnownName[] {
  const wanted = household
    .map((patient) => ({ patient, parts: foldWords(patient.display_name) }))
    .filter((w) => w.parts.length >= 2);
  const exact = new Set(layout.pages.flatMap(({ page, source }) => (source === 'text_layer' ? [page] : [])));
  return [...layout.lines, ...stackedNames(layout)].flatMap((line) => {
    const tokens = tokensOf(line.words.map((word) => ({ ...word, text: word.text.replace(MISREAD_LETTER, '') })));
    return wanted.flatMap(({ patient, parts }): KnownName[] => {
      const maySlip = slipsFor(patient, dateOfBirth, exact.has(line.page) ? 'exact' : 'scanned');
      for (let from = 0; from + parts.length <= tokens.length; from++) {
        const window = tokens.slice(from, from + parts.length);
        const similarity = similarityOfWords(
          parts,
          window.map((t) => t.text),
          maySlip,
        );
        if (similarity > 0)
          return [
            {
              patient,
              line,
              similarity,
              words: line.words.slice(window[0]?.word ?? 0, (window.at(-1)?.word ?? 0) + 1),
            },
          ];
      }
      return [];
    });
  });
}

/** Narrow fields print the given name above the family name: both as one line. */
function stackedNames(layout: Layout): Line[] {
  return layout.lines.flatMap((line, index) =>
    line.segments.flatMap((segment): Line[] => {
      const next = layout.lines[index + 1];
      if (!next || next.page !== line.page || segment.words.length > 2 || next.y - line.y > 2.4 * line.h) return [];
      const under = next.segments.find(({ bbox }) => Math.abs(bbox[0] - segment.bbox[0]) < 0.012);
      if (!under || under.words.length > 2) return [];
      const words = [...segment.words, ...under.words];
      const text = words.map((word) => word.text).join(' ');
      return [{ ...line, words, text, segments: [{ text, words, bbox: segment.bbox }] }];
    }),
  );
}

/** Whether letters of this word of a name may be misread. */
type MaySlip = (word: string) => boolean;

/**
 * Similarity of two names regardless of word order: 1 for the same name, 0 for different people. Either side may lack
 * middle names.
 */
export const similarityOfNames = (a: string, b: string): number => similarityTo(foldWords(a), foldWords(b), () => true);

/** Similarity of a name to a known one, of whose words those that `maySlip` names may be misread. */
function similarityTo(printed: readonly string[], known: readonly string[], maySlip: MaySlip): number {
  const shorter = Math.min(printed.length, known.length);
  if (shorter < 2) return 0;
  return similarityOfWords(known, printed, maySlip) * (printed.length === known.length ? 1 : 0.9);
}

/** Maximum number of letters of a word that OCR may have misread. */
function maxSlipsIn(word: string): number {
  if (word.length >= 8) return 2;
  return word.length >= 4 ? 1 : 0;
}

/**
 * How a name was printed: `exact` in a text layer, whose letters are not misread; `scanned`; or `guess` to find whom it
 * might name at all.
 */
export type Print = 'exact' | 'scanned' | 'guess';

/**
 * One letter separates "Lena" from "Lina" and "Simon" from "Simone": a given name with another letter is somebody else's
 * unless a scan shows the birth date as well. A family name may be misread in a scan, or misspelled beside the birth date.
 */
function slipsFor({ display_name, date_of_birth }: KnownPatient, printedBirth: string | null, print: Print): MaySlip {
  const hasBirth = printedBirth !== null && printedBirth === date_of_birth;
  if (print === 'guess' || (print === 'scanned' && hasBirth)) return () => true;
  if (print === 'exact' && !hasBirth) return () => false;
  const given = new Set(foldWords(parsePersonName(display_name)?.given ?? display_name));
  return (word) => !given.has(word);
}

/** "Müller" is printed as "Mueller", too. */
const withoutUmlauts = (word: string): string => word.replace(/(?<=[aou])e/g, '');

/** Whether each word of the name with fewer words matches another word. */
function similarityOfWords(known: readonly string[], printed: readonly string[], maySlip: MaySlip): number {
  const isShorter = known.length <= printed.length;
  const [words, free] = isShorter ? [known, [...printed]] : [printed, [...known]];
  let slips = 0,
    letters = 0;
  for (const word of words) {
    const distances = free.map((other) =>
      withoutUmlauts(word) === withoutUmlauts(other) ? 0 : editDistance(word, other, 2),
    );
    const best = Math.min(...distances, 9);
    const found = distances.indexOf(best);
    const isOfKnown = isShorter ? word : (free[found] ?? word);
    if (best > (maySlip(isOfKnown) ? maxSlipsIn(word) : 0)) return 0;
    free.splice(found, 1);
    slips += best;
    letters += word.length;
  }
  return 1 - slips / letters;
}

/** Factors by which the printed birth date raises or lowers a similarity. */
const SAME_BIRTH = 1.05;
const OTHER_BIRTH = 0.6;
const UNKNOWN_BIRTH = 0.9;

function birthFactor(printed: string | null, known: string | null): number {
  if (printed === null || known === null) return UNKNOWN_BIRTH;
  return printed === known ? SAME_BIRTH : OTHER_BIRTH;
}

/**
 * Finds the household member with a printed name (and birth date); null for anyone else.
 */
export function matchKnown(
  name: PersonName | null,
  dateOfBirth: string | null,
  household: readonly KnownPatient[],
  print: Print = 'scanned',
): { patient: KnownPatient; confidence: number } | null {
  const printed = name ? foldWords(fullName(name)) : [];
  let best: { patient: KnownPatient; confidence: number } | null = null;
  for (const patient of household) {
    const maySlip = slipsFor(patient, dateOfBirth, print);
    const similarity = similarityTo(printed, foldWords(patient.display_name), maySlip);
    const birth = birthFactor(dateOfBirth, patient.date_of_birth);
    const byBirth = name === null && birth === SAME_BIRTH ? 0.6 : 0;
    const confidence = similarity > 0 ? Math.min(1, similarity * birth) : byBirth;
    if (confidence > (best?.confidence ?? 0.5)) best = { patient, confidence };
  }
  return best;
}

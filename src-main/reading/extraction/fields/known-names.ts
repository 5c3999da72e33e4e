import { fullName, type PersonName } from '../../../../src-shared/medical/person-name.ts';
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
export function findKnownNames(layout: Layout, household: readonly KnownPatient[]): KnownName[] {
  const wanted = household
    .map((patient) => ({ patient, parts: foldWords(patient.display_name) }))
    .filter((w) => w.parts.length >= 2);
  return [...layout.lines, ...stackedNames(layout)].flatMap((line) => {
    const tokens = tokensOf(line.words.map((word) => ({ ...word, text: word.text.replace(MISREAD_LETTER, '') })));
    return wanted.flatMap(({ patient, parts }): KnownName[] => {
      for (let from = 0; from + parts.length <= tokens.length; from++) {
        const window = tokens.slice(from, from + parts.length);
        const similarity = similarityOfWords(
          parts,
          window.map((t) => t.text),
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

/**
 * Similarity of two names regardless of word order: 1 for the same name, 0 for different people. Either side may lack
 * middle names.
 */
export function similarityOfNames(a: string, b: string): number {
  const x = foldWords(a),
    y = foldWords(b);
  const [shorter, longer] = x.length <= y.length ? [x, y] : [y, x];
  if (shorter.length < 2) return 0;
  return similarityOfWords(shorter, longer) * (shorter.length === longer.length ? 1 : 0.9);
}

/** Maximum number of letters of a word that OCR may have misread. */
function maxSlipsIn(word: string): number {
  if (word.length >= 8) return 2;
  return word.length >= 4 ? 1 : 0;
}

/** Whether each of the words matches another word. */
function similarityOfWords(nameWords: readonly string[], printed: readonly string[]): number {
  const free = [...printed];
  let slips = 0,
    letters = 0;
  for (const word of nameWords) {
    const distances = free.map((p) => editDistance(word, p, 2));
    const best = Math.min(...distances, 9);
    if (best > maxSlipsIn(word)) return 0;
    free.splice(distances.indexOf(best), 1);
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

/** Finds the household member with a printed name (and birth date); null for anyone else. */
export function matchKnown(
  name: PersonName | null,
  dateOfBirth: string | null,
  household: readonly KnownPatient[],
): { patient: KnownPatient; confidence: number } | null {
  let best: { patient: KnownPatient; confidence: number } | null = null;
  for (const patient of household) {
    const similarity = name ? similarityOfNames(fullName(name), patient.display_name) : 0;
    const birth = birthFactor(dateOfBirth, patient.date_of_birth);
    const byBirth = name === null && birth === SAME_BIRTH ? 0.6 : 0;
    const confidence = similarity > 0 ? Math.min(1, similarity * birth) : byBirth;
    if (confidence > (best?.confidence ?? 0.5)) best = { patient, confidence };
  }
  return best;
}

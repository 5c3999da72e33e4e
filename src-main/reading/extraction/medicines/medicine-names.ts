import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { findScheme, findStrength } from '../../../../src-shared/medical/dose.ts';
import { loadEntries } from '../../knowledge/load.ts';
import { loadWords } from '../../knowledge/words.ts';
import { fold, foldWords } from '../fold.ts';
import type { Line } from '../layout/lines.ts';

/** Substances, brands and dosage forms, which identify a medicine even without a table or a dose. */
const WORDS = loadWords('medicine-names', ['substance', 'brand', 'form']);
const FORMS = new Set(WORDS.form.map(fold));
/** Shorter names are also words. */
const MIN_NAME_LETTERS = 3;
const MAX_NAME_WORDS = 3;

export type MedicineKind = 'substance' | 'brand';
let dictionary: Map<string, MedicineKind> | null = null;

/** Substances and brands of the knowledge base and of the word list by their folded names. */
function knownNames(): Map<string, MedicineKind> {
  if (dictionary) return dictionary;
  dictionary = new Map();
  for (const { aliases } of loadEntries('medications'))
    for (const { alias, language, ambiguous } of aliases)
      if (!ambiguous && alias.length >= MIN_NAME_LETTERS)
        dictionary.set(fold(alias), language === null ? 'brand' : 'substance');
  for (const name of WORDS.substance) if (!dictionary.has(fold(name))) dictionary.set(fold(name), 'substance');
  for (const name of WORDS.brand) if (!dictionary.has(fold(name))) dictionary.set(fold(name), 'brand');
  return dictionary;
}

const MEASURED = new Set(loadEntries('lab_tests').flatMap(({ aliases }) => aliases.map(({ alias }) => fold(alias))));
const LISTED = new Set([...WORDS.substance, ...WORDS.brand].map(fold));

export interface KnownMedicine {
  from: number;
  to: number;
  kind: MedicineKind;
}

/** Known names in words, the longest at each place. */
export function findMedicineNames(words: readonly string[]): KnownMedicine[] {
  const known = knownNames();
  const found: KnownMedicine[] = [];
  for (let from = 0; from < words.length; from += 1) {
    if (!/\p{L}/u.test(words[from] ?? '')) continue;
    for (let count = MAX_NAME_WORDS; count > 0; count -= 1) {
      const name = foldWords(words.slice(from, from + count).join(' ')).join(' ');
      const kind = words.length >= from + count ? known.get(name) : undefined;
      if (kind === undefined) continue;
      found.push({ from, to: from + count, kind });
      from += count - 1;
      break;
    }
  }
  return found;
}

/** Whether a text names a medicine. What laboratories measure too, such as calcium, is none without other signs. */
export const isKnownMedicine = (text: string): boolean =>
  fold(text)
    .split(' ')
    .some((word) => word.length > 3 && LISTED.has(word)) ||
  findMedicineNames(text.split(/\s+/)).some(({ from, to }) => {
    const name = fold(text.split(/\s+/).slice(from, to).join(' '));
    return name.length > 3 && !MEASURED.has(name);
  });

export const isForm = (text: string): boolean => FORMS.has(fold(text));
/** Substances are printed in lower case, brands are not. */
export const isSubstance = (text: string): boolean => /^[\p{Ll}(][\p{L}\s,/+-]{3,}\)?$/u.test(text.trim());

/** Number of a list item, including letters that look like a one and brackets that look like a period. */
export const NUMBERING = /^(?:[\dlI]{1,2}[.)\]]?|\d{1,2}\.\))\s+/;
const BULLET = /^(?:[-–—•·*«»●▪◦○■□☐☑✓>]+|\(?\d{1,2}[.)\]]+\s*|\d{1,2}\s+(?=\p{L}{3}))\s*/u;
/** "Rx 1:", "Rp./", "2) Rp.". */
const PRESCRIBED = /^(?:rp|rx|℞|r\/|d\.s|medikament|medicament|farmaco|drug)\.?\s?\/?\s*\d{0,2}\s?[:.)]?\s+(?=\p{L})/iu;

/** A name without bullet, number and the sign of a prescription. */
export const withoutBullet = (text: string): string =>
  text.replace(BULLET, '').replace(PRESCRIBED, '').replace(BULLET, '').trim();

export interface Names {
  brand: string | null;
  substance: string | null;
  form: string | null;
}

/** Finds brand, substance and form by column, by segment, or in the words before the strength. */
export function namesOf(line: Line, named: string | undefined, substanceCell: string | undefined): Names {
  const segments = line.segments.map(({ text }) => withoutBullet(text)).filter((text) => text !== '');
  const head = withoutBullet(named ?? segments.find((text) => /\p{L}{3}/u.test(text)) ?? '');
  const beforeDose = cutAt(head, [findStrength(head)?.index, findScheme(head)?.index]);
  const formWord = [...beforeDose.split(/\s+/), ...segments.flatMap((text) => text.split(/\s+/))].find(isForm) ?? null;
  const inBrackets = /\(([^)\d]{4,40}?)\s*(?:\d[^)]*)?\)/.exec(head)?.[1] ?? null;
  const brand = fromKnownName(beforeDose)
    .replace(/\([^)]*\)?/g, ' ')
    .split(/\s+/)
    .filter((_, index, words) => !words.slice(index === 0 ? 0 : 1, index + 1).some(isForm))
    .join(' ')
    .replace(/[\s,;:–—-]+$/u, '')
    .trim();
  const next = segments[segments.indexOf(head) + 1];
  const substance =
    substanceCell ??
    inBrackets ??
    (next && !named && isSubstance(next) && !isForm(next) && !findFrequency(next) ? next : null);
  return { brand: /\p{L}{3}/u.test(brand) && brand.split(' ').length <= 6 ? brand : null, substance, form: formWord };
}

/** So many words before a known name are a sentence. */
const MIN_WORDS_BEFORE = 3;

/** "and have started aspirin" begins with its medicine. */
function fromKnownName(text: string): string {
  const words = text.split(/\s+/);
  const first = findMedicineNames(words)[0];
  if (first && first.from >= MIN_WORDS_BEFORE) return words.slice(first.from, first.to).join(' ');
  return first && /^\p{Ll}/u.test(words[0] ?? '') ? words.slice(first.from).join(' ') : text;
}

export function cutAt(text: string, positions: (number | undefined)[]): string {
  const first = Math.min(...positions.map((position) => position ?? text.length));
  return text.slice(0, first);
}

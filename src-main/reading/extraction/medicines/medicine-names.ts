import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { findScheme, findStrength } from '../../../../src-shared/medical/dose.ts';
import { loadEntries } from '../../knowledge/load.ts';
import { loadWords } from '../../knowledge/words.ts';
import { editDistance, fold, foldWords } from '../fold.ts';
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

/** "l'apixaban", "d’amoxicilline" */
export const ARTICLE = /^[ld]['’]/iu;

/** Known names in words, the longest at each place. */
export function findMedicineNames(words: readonly string[]): KnownMedicine[] {
  const known = knownNames();
  const found: KnownMedicine[] = [];
  for (let from = 0; from < words.length; from += 1) {
    if (!/\p{L}/u.test(words[from] ?? '')) continue;
    for (let count = MAX_NAME_WORDS; count > 0; count -= 1) {
      const name = foldWords(
        words
          .slice(from, from + count)
          .join(' ')
          .replace(ARTICLE, ''),
      ).join(' ');
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

/** Whether a text is a form of medicines, such as "Filmtabletten". */
export const isForm = (text: string): boolean => FORMS.has(fold(text));
/** Substances are printed in lower case, brands are not. */
export const isSubstance = (text: string): boolean => /^[\p{Ll}(][\p{L}\s,/+-]{3,}\)?$/u.test(text.trim());

/** Number of a list item, including letters that look like a one and brackets that look like a period. */
export const NUMBERING = /^(?:[\dlI]{1,2}[.)\]]?|\d{1,2}\.\))\s+/;
const BULLET = new RegExp(
  [
    // Also digits in circles.
    String.raw`^(?:\[[xX✓ ]?\]|[\u2460-\u2473\u24f5-\u24fe\u2776-\u2793]|[-–—•·*«»●▪◦○■□☐☑✓>]+|\(?\d{1,2}[.)\]]+\s*|`,
    String.raw`\d{1,2}\s?[x×]\s+(?=\p{Lu}\p{L}{2})|\d{1,2}\s+(?=\p{L}{3}))\s*`,
  ].join(''),
  'u',
);
/** "Rx 1:", "Rp./", "2) Rp.", and "Rx 700413" with the number of the pharmacy. */
const PRESCRIBED =
  /^(?:rp|rx|℞|r\/|d\.s|medikament|medicament|farmaco|drug)\.?\s?\/?\s*(?:\d{5,9}|\d{0,2})\s?[:.)]?\s+(?=\p{L})/iu;

/** A name without bullet, number, the sign of a prescription, and what to do with it: "2) Start Meloxicam". */
export const withoutBullet = (text: string): string =>
  withoutAction(
    withoutLabel(text.replace(BULLET, '').replace(PRESCRIBED, '').replace(BULLET, '').replace(PACK_BEHIND, '').trim()),
  );

/** "LASIX*30CPR 25MG": Italian prescriptions print the pack behind a star. */
const PACK_BEHIND = /(?<=\p{L})\*\d{1,3}\s?\p{L}{2,6}(?=\s|$)/u;

const LABEL = /^\p{Lu}\p{L}{3,}(?:[ -]\p{L}+){0,2}:\s+(?=\p{L}{3})/u;
/** "Nachbehandlung: Ibuprofen": a label in front of a capitalized word or a known name. */
function withoutLabel(text: string): string {
  const label = LABEL.exec(text)?.[0];
  if (label === undefined || isKnownMedicine(label)) return text;
  const rest = text.slice(label.length);
  return findMedicineNames(rest.split(/\s+/))[0]?.from === 0 ? rest : text;
}

const NOTES = loadWords('medicine-notes', ['action', 'note']);
const ACTIONS = NOTES.action.map(foldWords).sort((a, b) => b.length - a.length);
const NOTE_WORDS = new Set(NOTES.note.flatMap(foldWords));

/** "Continue Metformin", "Neu: Eliquis": a capitalized word or a known name is behind what to do with it. */
function withoutAction(text: string): string {
  const words = text.split(/\s+/);
  const folded = words.map(fold);
  const action = ACTIONS.find((phrase) => phrase.every((word, i) => folded[i] === word));
  const rest = words.slice(action?.length ?? 0);
  const isName = /^\p{Lu}/u.test(rest[0] ?? '') || findMedicineNames(rest)[0]?.from === 0;
  return action && isName ? rest.join(' ') : text;
}

/** "NEW", "CHANGED", "unverändert": a cell that says what to do with the medicine beside it. */
const isAction = (text: string): boolean => {
  const folded = foldWords(text);
  return ACTIONS.some((phrase) => phrase.length === folded.length && phrase.every((word, i) => folded[i] === word));
};

const MAX_ERRORS_OF_NAME = 2;
/** Whether words are a known name, or one with errors of OCR. */
const isLikeName = (text: string): boolean =>
  findMedicineNames(text.split(/[\s/+,]+/)).length > 0 ||
  [...knownNames().keys()].some(
    (name) => name.length > 4 * MAX_ERRORS_OF_NAME && editDistance(name, fold(text), MAX_ERRORS_OF_NAME) <= 2,
  );

/** Whether what is in brackets behind a name is its other name: not "(bis 20.03.)", "(started today)", "(Schmerzen)". */
function isOtherName(inBrackets: string, before: string): boolean {
  if (findFrequency(inBrackets) || OF_TIME.test(inBrackets)) return false;
  if (foldWords(inBrackets).some((word) => NOTE_WORDS.has(word))) return false;
  // The knowledge base has the substances of the brands that it has.
  return findMedicineNames(before.trim().split(/\s+/)).length === 0 || isLikeName(inBrackets);
}

export interface Names {
  brand: string | null;
  substance: string | null;
  form: string | null;
}

/** Finds brand, substance and form by column, by segment, or in the words before the strength. */
export function namesOf(
  line: Line,
  { name: named, substance: substanceCell }: { name?: string; substance?: string },
  strength?: string,
): Names {
  const segments = line.segments.map(({ text }) => withoutBullet(text)).filter((text) => text !== '');
  const head = withoutBullet(named ?? segments.find((text) => /\p{L}{3}/u.test(text) && !isAction(text)) ?? '');
  const bare = head.indexOf(strength ?? '\n');
  const dose = [bare < 0 ? undefined : bare, findStrength(head)?.index, findScheme(head)?.index];
  const count = findFrequency(head);
  // "Trimbow 2 inalazioni": without a strength, the name ends where the directions begin.
  const isCounted = dose.every((at) => at === undefined) && (count?.index ?? 0) > 0;
  const beforeDose = cutAt(head, isCounted ? [count?.index] : dose);
  const formWord = [...beforeDose.split(/\s+/), ...segments.flatMap((text) => text.split(/\s+/))].find(isForm) ?? null;
  const bracket = /\(([^)\d]{4,40}?)\s*(?:\d[^)]*)?\)/.exec(head);
  const inBrackets = bracket?.[1] && isOtherName(bracket[1], head.slice(0, bracket.index)) ? bracket[1] : null;
  const brand = fromKnownName(beforeDose)
    .replace(/\([^)]*\)?/g, ' ')
    .split(/\s+/)
    .filter((_, index, words) => !words.slice(index === 0 ? 0 : 1, index + 1).some(isForm))
    .join(' ')
    .replace(/[\s,;:–—-]+$/u, '')
    .replace(/(?<=\p{Ll} )HCI$/u, 'HCl')
    .trim();
  const next = segments[segments.indexOf(head) + 1];
  const substance =
    substanceCell ??
    inBrackets ??
    (next && !named && isSubstance(next) && !isForm(next) && !findFrequency(next) ? next : null);
  return { brand: /\p{L}{3}/u.test(brand) && brand.split(' ').length <= 6 ? brand : null, substance, form: formWord };
}

/** "(bis 20.03.2023)", "(montags)": what is in brackets says when it is taken. */
const OF_TIME = new RegExp(
  [
    String.raw`^(?:bis|ab|seit|until|till|from|since|jusqu|dès|depuis|fino|dal|al|für|for|pour|per|wenn|falls|if|si|`,
    String.raw`se|bei|zum|zur|nach|vor|after|before|avant|après|dopo|prima|neu|new|nouveau|nuovo)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** So many words before a known name are a sentence. */
const MIN_WORDS_BEFORE = 3;

/** "and have started aspirin" begins with its medicine. */
function fromKnownName(text: string): string {
  const words = text.split(/\s+/);
  const first = findMedicineNames(words)[0];
  if (first && first.from >= MIN_WORDS_BEFORE) return words.slice(first.from, first.to).join(' ');
  return first && /^\p{Ll}/u.test(words[0] ?? '') ? words.slice(first.from).join(' ') : text;
}

/** The text before the first of these positions; the whole text where all of them are undefined. */
export function cutAt(text: string, positions: (number | undefined)[]): string {
  const first = Math.min(...positions.map((position) => position ?? text.length));
  return text.slice(0, first);
}

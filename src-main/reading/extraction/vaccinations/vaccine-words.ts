import { loadWords } from '../../knowledge/words.ts';
import { editDistance, fold, foldWords } from '../fold.ts';

export const WORDS = loadWords('vaccine-names', ['vaccine', 'manufacturer']);
export const NAMES = new Set(WORDS.vaccine.map(fold));
const LONG_NAMES = [...NAMES].filter((name) => name.length >= 6);
const NOT_GIVEN = loadWords('vaccine-cues', ['not_given']).not_given.map(foldWords);
const MAX_CUE_LENGTH = Math.max(...NOT_GIVEN.map(({ length }) => length));
const MAKERS = WORDS.manufacturer.map(fold).sort((a, b) => b.length - a.length);

export const LABELLED_LOT = new RegExp(
  [
    String.raw`(?<!\p{L})(?:lot(?:to|e)?|batch|charge|ch\.(?=\s)|ch\.?\s?-?\s?b\.?|chargen?-?(?:n(?:r|ummer)|`,
    String.raw`bezeichnung)|`,
    String.raw`lot-?n[ro°]?)\s*\.?:?\s*(?:(?:n(?=[ro°.:\s])[ro°]?\.?|number|no\.?|#)\s*:?\s*)?(?:[a-z]{1,4}\s)?`,
    String.raw`((?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{2,13})`,
  ].join(''),
  'iu',
);
export const DOSE = new RegExp(
  [
    String.raw`(?:dose|dosis|dosi|impfung|d)\s*(?:nr\.?|no\.?|n°)?\s*:?\s*(\d)\b|\b(\d)\s?(?:\/\s?\d)?\s*(?:\.|st|`,
    String.raw`nd|rd|th|a|e|ème|re|°|ª|º)?\s*(?:dose|dosis|dosi|impfung)\b|^(\d)(?:\s?\/\s?\d)?$`,
  ].join(''),
  'iu',
);
export const DATE = /\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b/g;
const WORDED_DATE = /(?<![\p{L}\d])\d{1,2}(?:\.|st|nd|rd|th|er)? (?:of )?\p{L}{3,10}\.? (?:19|20)\d\d(?!\d)/gu;

/** What a vaccine protects against, as printed beside the product (folded). */
export const DISEASE = new RegExp(
  [
    String.raw`^(?:tdap|dtap|dtpa|td|dt|tetan|wundst|diphth|difter|pertus|keuch|coquel|polio|ipv|hepatit|epatit|`,
    String.raw`hav|hbv|mmrv?|measl|masern|rougeol|morbill|mumps|oreill|parotit|rubell|roteln|rubeol|rosol|ror|mpr|`,
    String.raw`varicell|varizell|windpock|vzv|zoster|hzv|gurtelr|influenz|grippe|flu|covid|sars|pneumo|pcv|ppv|`,
    String.raw`mening|men[abcwy]+|hpv|papill|fsme|tbe|tick|enceph|yellow|gelbf|fievre|febbre|rabies|tollw|rage|`,
    String.raw`rabb|typho|typhus|tifo|choler|japan|bcg|tuberc|rotavir|haemoph|hib|rsv|dengue|mpox)(?![a-z]*(?:pro|`,
    String.raw`immun|vax|ix)\b)`,
  ].join(''),
);

/** Whether words name a vaccine, ignoring OCR errors in long names. */
export function vaccineIn(text: string): boolean {
  const words = fold(text).split(' ');
  for (let from = 0; from < words.length; from += 1)
    for (let length = Math.min(3, words.length - from); length > 0; length -= 1) {
      const phrase = words.slice(from, from + length).join(' ');
      if (
        NAMES.has(phrase) ||
        (length > 1 && phrase.length >= 8 && NAMES.has(phrase.replaceAll(' ', ''))) ||
        (phrase.length >= 6 &&
          LONG_NAMES.some((name) => name.length === phrase.length && editDistance(name, phrase, 1) <= 1))
      )
        return true;
    }
  return false;
}

/** "due 01 Jun 2026", "Due: 10/2024"; in Italian, "due" is two. */
const DUE =
  /(?<!\p{L})due(?=\s*:|\s+(?:in|by|from)?\s*(?:\d{1,4}[/. -]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|$)/iu;

/** Where a text begins to say what was not given: "next due 2031"; -1 if it does not. */
export function notGivenAt(text: string): number {
  const words = text.split(/\s+/);
  const folded = words.map(foldWords);
  const at = words.findIndex((_, from) => {
    const next = beginningOf(folded, from, MAX_CUE_LENGTH);
    return NOT_GIVEN.some((cue) => cue.every((part, i) => next[i] === part));
  });
  const due = DUE.exec(text)?.index ?? -1;
  const cue = at < 0 ? -1 : words.slice(0, at).join(' ').length;
  return due < 0 || cue < 0 ? Math.max(due, cue) : Math.min(due, cue);
}

/** The first folded words from a printed word on, which may fold to several or none. */
function beginningOf(folded: readonly string[][], from: number, count: number): string[] {
  const found: string[] = [];
  for (let i = from; i < folded.length && found.length < count; i += 1) found.push(...(folded[i] ?? []));
  return found;
}

/**
 * The part of a text that is about a vaccination that was given. Of several sentences, those are left out that say
 * anywhere that one was not: "Vaccination contre le zona conseillée."
 */
export const textOfGiven = (text: string): string => {
  const sentences = text.split(SENTENCE_END);
  if (sentences.length > 1) return sentences.filter((sentence) => notGivenAt(sentence) < 0).join(' ');
  const at = notGivenAt(text);
  return at < 0 ? text : text.slice(0, at);
};
const SENTENCE_END = /(?<=\p{L}{3}[.;]|\d{4}\.)\s+(?=\p{Lu}\p{Ll})/u;

/** The number of a dose in a text such as "2. Dosis" or "dose 3"; null where it names none. */
export function doseOf(text: string | undefined): number | null {
  const match = text === undefined ? null : DOSE.exec(text.trim());
  const digit = match?.[1] ?? match?.[2] ?? match?.[3];
  return digit ? Number(digit) : null;
}

/** The vaccine without the date, lot, dose and manufacturer in the same segment. */
export function nameWithin(text: string): string {
  const bare = text
    .replace(/^[-–—•·*▪☑✓]+\s*/u, '')
    .replace(DATE, ' ')
    .replace(WORDED_DATE, ' ')
    .replace(LABELLED_LOT, ' ')
    .replace(/\([^)]*\)/g, ' ')
    .split(/\s*[,;:|]\s+|\s*[–—]\s*|\s+-\s+/)
    .map((part) => part.replace(DOSE_AROUND, ' ').replace(AROUND_NAME, ' ').trim());
  const named = bare.filter((part) => vaccineIn(part));
  // "contre la fièvre jaune : Stamaril": the product is behind what it protects against.
  const name = (named.find((part) => !/^\W*(?:contre|gegen|against|contro)\s/iu.test(part)) ?? named[0] ?? text)
    .replace(/\s+/g, ' ')
    .trim();
  return name.split(' ').length > MAX_NAME_WORDS ? shortestIn(name) : withoutLead(name);
}

/** "du vaccin Gardasil 9" is named by its capitalized words. */
function withoutLead(name: string): string {
  const words = name.replace(/[\s.,;:]+$/u, '').split(' ');
  const from = words.findIndex((word) => !/^\p{Ll}+$/u.test(word));
  const bare = words.slice(Math.max(0, from)).join(' ');
  return vaccineIn(bare) ? bare : words.join(' ');
}

/** The product that begins at a word, with the number that is part of it: "Havrix 1440". */
function productAt(words: readonly string[], at: number): string | null {
  const phrases = [3, 2, 1].map((count) => words.slice(at, at + count).join(' '));
  const name = phrases.find((phrase) => isVaccine(phrase) && !DISEASE.test(fold(phrase)));
  if (at < 0 || name === undefined) return null;
  const next = words[at + name.split(' ').length] ?? '';
  return /^\d+$/.test(next) ? `${name} ${next}` : name;
}

/** The products of a sentence with their lots: "gegen Influenza (Efluelda, Ch.-B. Y3C811V) und …". */
export function productsWithLots(text: string): { name: string; lot: string }[] {
  let from = 0;
  return [...text.matchAll(new RegExp(LABELLED_LOT.source, 'giu'))].flatMap((match) => {
    const words = text
      .slice(from, match.index)
      .split(/[\s(),;:]+/)
      .filter((word) => word !== '');
    from = match.index + match[0].length;
    const at = words.findLastIndex((_, from) => productAt(words, from) !== null);
    const name = productAt(words, at);
    return name && match[1] ? [{ name, lot: match[1] }] : [];
  });
}

const MAX_NAME_WORDS = 5;

/** The words of a sentence that name a vaccine. */
function shortestIn(text: string): string {
  const words = text.split(' ');
  const from = words.findIndex((_, at) => [1, 2, 3].some((count) => vaccineIn(words.slice(at, at + count).join(' '))));
  const to = [3, 2, 1].find((count) => isVaccine(words.slice(from, from + count).join(' '))) ?? 1;
  return words.slice(from, from + to).join(' ');
}
const isVaccine = (text: string): boolean => NAMES.has(fold(text));

/** "Dose 1", "2. Impfung", "3rd dose" before or after a name. */
const ORDINAL = String.raw`\d{1,2}(?:\.|st|nd|rd|th|re|e|ème|a|ª)?\s*`;
export const DOSE_AROUND = new RegExp(
  [
    String.raw`^(?:(?:dose|dosis|impfung|injection|n°|nr\.?|no\.?)\s*\d|${ORDINAL}(?:dose|dosis|impfung|injection)|`,
    String.raw`\d{1,2}[.)])(?=\s)|(?<=\s)(?:(?:dose|dosis)\s*\d(?:\s?(?:\/|of|von|de|di)\s?\d)?|${ORDINAL}`,
    String.raw`(?:dose|dosis|impfung))$`,
  ].join(''),
  'giu',
);
/** Words between a name and its date. */
const AROUND_NAME = new RegExp(
  [
    String.raw`(?:\s+(?:on|am|vom|le|du|il|del|given|given on|administered|administered on|verabreicht|`,
    String.raw`verabreicht am|gegeben|erhalten|`,
    String.raw`geimpft am|injection|injection du|administré le|fait le|eseguito il|somministrato il|date|datum|`,
    String.raw`data))+\s*$|^\s*(?:given|vaccin|vaccine|impfung(?: mit)?|vaccino|vaccination(?: with)?)\s*:\s*`,
  ].join(''),
  'giu',
);

/** The first known manufacturer in a text, in its folded spelling; null where it names none. */
export const makerIn = (text: string): string | null => {
  const folded = ` ${fold(text)} `;
  return MAKERS.find((name) => folded.includes(` ${name} `)) ?? null;
};

/**
 * The spelling in which a text has these folded words, without commas and brackets; without a hit, the folded words.
 */
export function printedAs(text: string, folded: string): string {
  const words = text.split(/\s+/);
  const count = folded.split(' ').length;
  for (let from = 0; from + count <= words.length; from += 1) {
    const part = words.slice(from, from + count).join(' ');
    if (fold(part) === folded) return part.replace(/[,;()]/g, '');
  }
  return folded;
}

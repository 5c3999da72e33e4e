/** The parts of a person's name. `isCertain` is false if the text does not tell which part is the family name. */
export interface PersonName {
  given: string;
  family: string;
  isCertain: boolean;
}

const PARTICLES = new Set([
  'von',
  'van',
  'der',
  'den',
  'de',
  'du',
  'des',
  'del',
  'della',
  'dello',
  'di',
  'da',
  'la',
  'le',
  'zu',
  'zum',
  'zur',
  'ten',
  'ter',
  'el',
  'al',
  'dos',
  'san',
  'af',
  'lo',
  "d'",
  'mc',
  'bin',
  'ben',
]);
const SALUTATION = new RegExp(
  [
    String.raw`^(?:(?:herrn?|frau|hr|fr|mr|mrs|ms|miss|mx|mme|mlle|madame|monsieur|mademoiselle|m|sig|sigra|`,
    String.raw`signora?|signorina|sig\.ra|sig\.na|ms|dr|prof|dott|dott\.ssa)\.?(?:\s+|$))+`,
  ].join(''),
  'iu',
);
const WEEKDAYS = new RegExp(
  [
    String.raw`\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|`,
    String.raw`freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedi|martedi|`,
    String.raw`mercoledi|giovedi|venerdi|sabato)\b`,
  ].join(''),
  'iu',
);
/** A word of a name: "Elena", "O'Brien", "Weber-Lang", "J.". */
const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u;

/**
 * Parses a printed name: "Elena Keller", "KELLER Elena", "Keller, Elena", "Frau Elena Keller". Null if the text is not
 * a name: it has digits, a single word or words in lower case.
 */
export function parsePersonName(text: string): PersonName | null {
  const plain = text
    .replace(/[|_*"«»]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(SALUTATION, '')
    .replace(/[,;:.\s-]+$/, '');
  const [before, after] = plain.split(/\s*,\s*/, 2);
  if (!before || WEEKDAYS.test(plain) || /\d/.test(plain.split(',').slice(0, 2).join(' '))) return null;
  if (after !== undefined) {
    const family = before.split(' '),
      given = after.replace(SALUTATION, '').split(' ');
    return isName(family) && isName(given) && family.length <= 3 && given.length <= 3
      ? { given: capitalize(given), family: capitalize(family), isCertain: true }
      : null;
  }
  const words = before.split(' ');
  if (words.length < 2 || words.length > 5 || !isName(words)) return null;
  return splitName(words);
}

function isName(words: readonly string[]): boolean {
  return (
    words.length > 0 &&
    !PARTICLES.has((words.at(-1) ?? '').toLowerCase()) &&
    words.every((w) => NAME_WORD.test(w) || PARTICLES.has(w.toLowerCase())) &&
    words.some((w) => w.replace(/\P{L}/gu, '').length >= 2)
  );
}

const isUpperCase = (word: string): boolean => word.length > 1 && word === word.toUpperCase() && /\p{L}{2}/u.test(word);

function splitName(words: string[]): PersonName {
  const upperCase = words.map((w) => isUpperCase(w));
  const firstPlain = upperCase.indexOf(false),
    lastPlain = upperCase.lastIndexOf(false);
  if (firstPlain > 0 && upperCase.slice(firstPlain).every((s) => !s))
    return {
      family: capitalize(words.slice(0, firstPlain)),
      given: capitalize(words.slice(firstPlain)),
      isCertain: true,
    };
  if (firstPlain === 0 && lastPlain < words.length - 1)
    return {
      given: capitalize(words.slice(0, lastPlain + 1)),
      family: capitalize(words.slice(lastPlain + 1)),
      isCertain: true,
    };
  const particle = words.findIndex((w, i) => i > 0 && PARTICLES.has(w.toLowerCase()) && w === w.toLowerCase());
  const cut = particle > 0 ? particle : words.length - 1;
  return { given: capitalize(words.slice(0, cut)), family: capitalize(words.slice(cut)), isCertain: false };
}

/** Converts "KELLER-LANG" to "Keller-Lang"; words in mixed case and particles stay unchanged. */
function capitalize(words: readonly string[]): string {
  return words
    .map((word) =>
      isUpperCase(word)
        ? word
            .toLowerCase()
            .replace(/(^|[-'’])(\p{L})/gu, (_, lead: string, letter: string) => lead + letter.toUpperCase())
        : word,
    )
    .join(' ');
}

/** Formats a name, given name first: "Elena Keller". */
export function fullName(name: PersonName): string {
  return `${name.given} ${name.family}`;
}

import { loadWords } from '../../knowledge/words.ts';
import { editDistance, fold } from '../fold.ts';

const WORDS = loadWords('lab-words', [
  'test',
  // Results in words.
  'result',
  'positive',
  'negative',
  'negation',
  'lower_bound',
  'wide',
  'two_sided',
  'harmless',
]);
/** Folded prefixes of tests for which a laboratory prints only the lower reference limit. */
export const LOWER_BOUND_TESTS = WORDS.lower_bound;

const WIDE_TESTS = WORDS.wide.map(fold);
/** Whether results of a test may be many times outside the range, such as those of CRP, ferritin and enzymes. */
export const isWideTest = (name: string): boolean => {
  const folded = ` ${fold(name)}`;
  return WIDE_TESTS.some((test) => folded.includes(` ${test}`));
};
const TWO_SIDED = new Set(WORDS.two_sided.map(fold));
/** Whether laboratories print both limits of a test, such as those of blood cells and electrolytes. */
export const hasTwoLimits = (name: string): boolean => TWO_SIDED.has(fold(name)) || TWO_SIDED.has(core(name));
const HARMLESS = WORDS.harmless.map(fold);
/** Whether a test may be positive without a disease: immunity, a blood group, cells that are in every sample. */
export const isHarmless = (name: string): boolean => {
  const folded = ` ${fold(name)} `;
  return HARMLESS.some((test) => folded.includes(` ${test}`));
};
const NAMES = new Set(WORDS.test.map(fold));
/** The folded names of the word list. */
export const LISTED_TESTS: readonly string[] = [...NAMES];
const LONG_NAMES = [...NAMES].filter((name) => name.length >= 7);
const RESULTS = new Set([...WORDS.result, ...WORDS.positive, ...WORDS.negative].map(fold));
const POSITIVE = new Set(WORDS.positive.map(fold));
const NEGATIVE = new Set(WORDS.negative.map(fold));
const NEGATIONS = new Set(WORDS.negation.map(fold));

/** Words of names, by their folded letters. */
const NAME_WORDS = new Map(
  [...WORDS.two_sided, ...WORDS.test].flatMap((name) =>
    name
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length >= 7)
      .map((word) => [fold(word), word]),
  ),
);
/** Letters that OCR reads for each other. */
const CONFUSED = ['aoec', 'iltjf', 'unmr', 'hbk', 'vyw', 'sz'];
const areConfused = (a: string, b: string): boolean =>
  a === b || CONFUSED.some((letters) => letters.includes(a) && letters.includes(b));

/** Restores long words of a name in which a scan shows one other letter: "Lymphazyten" is "Lymphozyten". */
export const repairName = (name: string): string =>
  repairAbbreviation(name.replace(TWICE, '').replace(/\p{L}{7,}/gu, repairWord));

/** The two signs in which words of the same length differ, if it is in one place only. */
function onlyDifference(a: string, b: string): [string, string] | null {
  const places = a.length === b.length ? [...a].flatMap((letter, i) => (letter === b[i] ? [] : [i])) : [];
  const [at] = places;
  return at === undefined || places.length > 1 ? null : [a[at] ?? '', b[at] ?? ''];
}

/** Capitals and digits that OCR reads for each other in abbreviations. */
const CONFUSED_CAPITALS = [
  'do0q',
  'il1j',
  // A 6 and a 9 are both read for a G.
  'gc6',
  'g9q',
  's5',
  'bh8',
  'uvy',
  'mn',
  'ef',
  'z2',
];
/** The only abbreviation that differs from an unknown one in such a sign: "ROW" is "RDW". */
function repairAbbreviation(name: string): string {
  if (!/^[A-Z\d]{3,5}$/.test(name) || !/[A-Z]{2}/.test(name) || NAMES.has(fold(name))) return name;
  const folded = fold(name);
  const [found, ...others] = [...NAMES].filter((known) => {
    const signs = onlyDifference(known, folded);
    return signs !== null && CONFUSED_CAPITALS.some((set) => signs.every((sign) => set.includes(sign)));
  });
  return found !== undefined && others.length === 0 ? found.toUpperCase() : name;
}
/** The first of two same consonants that begin a word, as of "ttotale"; no word begins so. */
const TWICE = /(?<!\p{L})([bcdfghjklmnpqrstvwxz])(?=\1\p{Ll}{3})/giu;

function repairWord(word: string): string {
  const folded = fold(word);
  if (NAME_WORDS.has(folded)) return word;
  const [found, ...others] = [...NAME_WORDS].filter(([known]) => {
    if (known.length + 1 === folded.length) return hasLetterTooMuch(known, folded);
    const letters = onlyDifference(known, folded);
    return letters !== null && areConfused(...letters);
  });
  if (!found || others.length > 0) return word;
  const printed = found[1];
  if (word === word.toUpperCase()) return printed.toUpperCase();
  return /^\p{Lu}/u.test(word) ? printed.charAt(0).toUpperCase() + printed.slice(1) : printed;
}

/** Whether a scan added a narrow letter: "Emogliobina". */
function hasLetterTooMuch(known: string, read: string): boolean {
  const at = [...read].findIndex((letter, i) => letter !== known[i]);
  return /[iltj]/.test(read[at] ?? '') && read.slice(0, at) + read.slice(at + 1) === known;
}

/** Words before or after a name that don't change its meaning: sample, method, sex. */
const DECORATION = new RegExp(
  [
    String.raw`\b(?:s|p|b|u|serum|plasma|im serum|i s|blood|vollblut|urin|urine|nuchtern|fasting|a jeun|a digiuno|`,
    String.raw`total|totale|gesamt|direct|direkt|abs|absolut|absolute|rel|relativ|enzymatisch|hs|ultrasensitiv|`,
    String.raw`levels?|concentration|calc|berechnet|calcule|calcolato|schnelltest|rapid test|rapid|test rapide|test rapido)\b`,
  ].join(''),
  'g',
);

/** The name without these words: `S-Kreatinin (enzym.)` → `kreatinin`. */
const core = (name: string): string =>
  fold(name.replace(/\([^)]*\)/g, ' '))
    .replace(DECORATION, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const FIRST_WORDS = new Set([...NAMES].map((name) => name.split(' ')[0] ?? ''));
/** Whether a test of the word list begins with the first word of a name: "vitamin D, 25-Hydroxy". */
export const beginsLikeTest = (name: string): boolean => FIRST_WORDS.has(fold(name).split(' ')[0] ?? '');

/** Whether a printed name is exactly a test of the word list. */
export const isListedTest = (name: string): boolean => NAMES.has(fold(name));

/** Whether a printed name is a test of the vocabulary, ignoring OCR errors in long names. */
export function isKnownTest(name: string): boolean {
  const whole = fold(name),
    bare = core(name);
  if (NAMES.has(whole) || NAMES.has(bare)) return true;
  const inBrackets = /\(([^)]{2,20})\)/.exec(name)?.[1];
  if (inBrackets && NAMES.has(fold(inBrackets))) return true;
  if (bare.length < 7) return false;
  return LONG_NAMES.some((known) => bare.startsWith(`${known} `) || editDistance(known, bare, 1) <= 1);
}

/** Shorter names are often near another one. */
const MIN_NEAR = 5;
/** Whether a name is of no test, but differs from the name of one in a single letter: "HBsSAg". */
export function isNearTest(name: string): boolean {
  const folded = fold(name);
  return (
    !isKnownTest(name) && [...NAMES].some((known) => known.length >= MIN_NEAR && editDistance(known, folded, 1) === 1)
  );
}

/** Amounts of a test strip: `3+`, `(+)`, `++`. */
const SEMIQUANTITATIVE = /^(?:[1-4]\s?\+|\(?\+{1,4}\)?)$/;

/** A titer: `1:320`, `< 1:80`. */
const TITER = /^[<>≤≥]?\s?1\s?:\s?(\d{1,5})$/;
/** The dilution of a titer, 320 of `1:320`; null for other texts. */
export function dilutionOf(text: string): number | null {
  const dilution = TITER.exec(text.trim())?.[1];
  return dilution === undefined ? null : Number(dilution);
}

/** A blood group with its rhesus factor: "A Rh positiv", "0 Rh(D) neg.", "AB positive". */
const BLOOD_GROUP = new RegExp(
  [
    String.raw`^(?:a[12]?|b|ab|a[12]b|[0o]),?\s?(?:rh(?:esus)?[\s.-]?\(?d?\)?[\s.:-]{0,2}(?:pos\p{L}*\.?|neg\p{L}*\.?|`,
    String.raw`n[ée]gatif|[+−-])|(?:positiv\p{L}*|negativ\p{L}*|n[ée]gatif))$`,
  ].join(''),
  'iu',
);

/** Whether a text is a result in words, such as `negative`, or a denied one: `nicht reaktiv`, `pas de germe`. */
export function isWordResult(text: string): boolean {
  const plain = text.trim();
  if (SEMIQUANTITATIVE.test(plain) || TITER.test(plain) || BLOOD_GROUP.test(plain)) return true;
  const folded = foldResult(text);
  return RESULTS.has(folded) || RESULTS.has(withoutNegation(folded) ?? '');
}

/** Whether a word denies what follows it: `nicht`, `no`, `pas de`. */
export const isNegation = (word: string): boolean => NEGATIONS.has(fold(word));

/** Whether a result in words says that something was found; null for words that say neither, such as a color. */
export function polarityOf(text: string): 'positive' | 'negative' | null {
  if (SEMIQUANTITATIVE.test(text.trim())) return 'positive';
  const folded = foldResult(text);
  if (NEGATIVE.has(folded)) return 'negative';
  if (POSITIVE.has(folded)) return 'positive';
  const denied = withoutNegation(folded);
  if (denied === null || !RESULTS.has(denied)) return null;
  return NEGATIVE.has(denied) ? 'positive' : 'negative';
}

const foldResult = (text: string): string => fold(text.replace(/[().]/g, ''));

/** The words after a negation at the start of a folded text; null if it has none. */
function withoutNegation(folded: string): string | null {
  const words = folded.split(' ');
  for (let count = Math.min(2, words.length - 1); count > 0; count -= 1)
    if (NEGATIONS.has(words.slice(0, count).join(' '))) return words.slice(count).join(' ');
  return null;
}

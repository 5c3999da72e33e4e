/**
 * What the device can draw. Inter's x-height is 0.546 and its cap height 0.7275 of the size, so multiples of 5.5 px put
 * both on whole pixels.
 */
export type FaceSpec = {
  name: string;
  size: number;
  weight: 500 | 600;
  /** `digits`: figures without the signs of currencies and percentages, which no room is left for. */
  set: 'text' | 'figures' | 'digits';
  tabular: boolean;
  tracking: number;
};

export const FACES: readonly FaceSpec[] = [
  { name: 'Small', size: 16.5, weight: 500, set: 'text', tabular: true, tracking: 0 },
  { name: 'Medium', size: 22, weight: 600, set: 'text', tabular: true, tracking: -0.005 },
  { name: 'Large', size: 27.5, weight: 600, set: 'text', tabular: true, tracking: -0.012 },
  { name: 'Figures33', size: 33, weight: 600, set: 'figures', tabular: false, tracking: -0.015 },
  { name: 'Figures44', size: 44, weight: 600, set: 'figures', tabular: false, tracking: -0.02 },
  { name: 'Figures55', size: 55, weight: 600, set: 'figures', tabular: false, tracking: -0.025 },
  { name: 'Figures66', size: 66, weight: 600, set: 'figures', tabular: false, tracking: -0.025 },
  { name: 'Figures77', size: 77, weight: 600, set: 'digits', tabular: false, tracking: -0.025 },
];

/** A mark is what a letter with it has more than the letter alone: the font has no spacing form of each. */
export type Mark = { combining: string; from: string; base: string };

const mark = (combining: string, from: string, base: string): Mark => ({ combining, from, base });

export const MARKS: readonly Mark[] = [
  mark('\u0300', 'à', 'a'),
  mark('\u0301', 'á', 'a'),
  mark('\u0302', 'â', 'a'),
  mark('\u0303', 'ã', 'a'),
  mark('\u0308', 'ä', 'a'),
  mark('\u030a', 'å', 'a'),
  mark('\u0304', 'ā', 'a'),
  mark('\u0306', 'ă', 'a'),
  mark('\u0307', 'ż', 'z'),
  mark('\u030c', 'č', 'c'),
  mark('\u030b', 'ő', 'o'),
];

const range = (from: number, till: number): string[] =>
  Array.from({ length: till - from + 1 }, (_, at) => String.fromCodePoint(from + at));

const ASCII = range(0x20, 0x7e);

/** Letters whose mark has grown together with them or is an apostrophe: they are drawn as they are. */
const OWN_SHAPE = 'ÇçŞşĄąĘęŢţďľť';

/** Rare ones that are drawn without their mark, for a table on every device costs all of its owners. */
const PLAIN: Readonly<Record<string, string>> = {
  Ģ: 'G',
  ģ: 'g',
  Ķ: 'K',
  ķ: 'k',
  Ļ: 'L',
  ļ: 'l',
  Ņ: 'N',
  ņ: 'n',
  Ŗ: 'R',
  ŗ: 'r',
  Į: 'I',
  į: 'i',
  Ų: 'U',
  ų: 'u',
  Ħ: 'H',
  ħ: 'h',
  Ŧ: 'T',
  ŧ: 't',
  Ľ: 'L',
  Ð: 'D',
  ð: 'd',
  Þ: 'P',
  þ: 'p',
  Ș: 'Ş',
  ș: 'ş',
  Ț: 'Ţ',
  ț: 'ţ',
  '\u2012': '–',
  '\u2015': '—',
  '‚': ',',
  '„': '“',
  '‹': '<',
  '›': '>',
  '′': "'",
  '″': '"',
  '²': '2',
  '³': '3',
  '¹': '1',
};

/** `mark` -1: none. */
export type Composite = { character: string; base: string; mark: number };

const byCode = (left: string, right: string): number => (left.codePointAt(0) ?? 0) - (right.codePointAt(0) ?? 0);

/** A mark above replaces the dot of these letters. */
const DOTLESS: Partial<Record<string, string>> = { i: 'ı', j: 'ȷ' };
/**
 * Western, Central and Northern European letters made of a letter and a mark, and what is drawn as another character.
 */
export const COMPOSITES: readonly Composite[] = [
  ...[...range(0xc0, 0x17f)].flatMap((character) => {
    const [letter = '', combining = '', ...more] = character.normalize('NFD');
    const at = MARKS.findIndex((known) => known.combining === combining);
    if (OWN_SHAPE.includes(character) || combining === '' || more.length > 0 || at < 0) return [];
    return [{ character, base: DOTLESS[letter] ?? letter, mark: at }];
  }),
  ...Object.entries(PLAIN).map(([character, base]) => ({ character, base, mark: -1 })),
].sort((left, right) => byCode(left.character, right.character));

const SPECIAL = [...`£¥§©®«°±·»ßÆæØøŒœıȷĐđŁł–—‘’“”…€−₿×${OWN_SHAPE}`];

/** ASCII in order, then the other letters and signs by code point; the face appends the marks to these. */
export const TEXT_SET: readonly string[] = [...ASCII, ...[...new Set(SPECIAL)].sort(byCode)];

/** What a price, a percentage or a time needs, by code. */
export const FIGURE_SET: readonly string[] = [...' $%+,-.0123456789:£¥’€−₿'].sort(byCode);

/** The figures that a face of digits has. */
export const DIGIT_SET: ReadonlySet<string> = new Set(' ,-.0123456789:’−');

import { parseNumber } from './number.ts';

/** A laboratory's reference range; a limit is null if the range is open. */
export interface ReferenceRange {
  low: number | null;
  high: number | null;
}

const NUMBER = String.raw`\d[\d.,'’\u202f]*`;
const BETWEEN = new RegExp(
  [
    String.raw`(?:von\s|from\s|de\s|da\s|between\s|zwischen\s|tra\s|entre\s)?([-−+]?${NUMBER})\s*(?:[-–—−]{1,2}|~|÷|…|`,
    String.raw`\.\.+|bis|to|à|a|and|und|et|e)\s*([-−+]?${NUMBER})`,
  ].join(''),
  'iu',
);
const BELOW = new RegExp(
  [
    String.raw`(?:<(?:\s?or\s?=?|=)?|≤|bis|unter|kleiner(?: als)?|up ?to|less than|below|under|max(?:\.|imal)?|`,
    String.raw`jusqu['’]?\s?[àa]|inf(?:\.|érieure?)?(?: [àa])?|moins de|fino a|inferiore a|minore di|`,
    String.raw`sotto)\s*:?\s*(${NUMBER})`,
  ].join(''),
  'iu',
);
const ABOVE = new RegExp(
  [
    String.raw`(?:>(?:\s?or\s?=?|=)?|≥|ab|über|grösser(?: als)?|größer(?: als)?|mehr als|more than|above|over|`,
    String.raw`greater than|from|min(?:\.|imal)?|sup(?:\.|érieure?)?(?: [àa])?|plus de|maggiore di|superiore a|`,
    String.raw`oltre|da)\s*:?\s*(${NUMBER})`,
  ].join(''),
  'iu',
);

/** Practices print an upper limit as a range without its start. */
const UP_TO = new RegExp(String.raw`^[[(]\s*[-–]\s?(${NUMBER})\s*[\])]`, 'u');

/** "[0,40 ; 0,50]", as in mathematics. */
const INTERVAL = new RegExp(String.raw`^\s*[[(\]]\s*(${NUMBER})\s*;\s*(${NUMBER})\s*[\])[]`, 'u');

/** "55,8/66,1" under "lower/upper limit". */
const SLASHED = /^(\d+[.,]\d+)\s?\/\s?(\d+[.,]\d+)(?=$|\s\D{1,2}$)/u;

/** "1,245" above "232" is a thousand, not 1.245. */
const THOUSANDS = /^\d{1,3}[.,]\d{3}$/;

/** The start of the part for one sex: `m: 13-17 f: 12-16`, `Männer 4,3-5,9 / Frauen 3,9-5,3`, `♂ 13-17 ♀ 12-16`. */
const ofSex = (sign: string, words: string): RegExp =>
  new RegExp(String.raw`(?:^|[\s;,/(])(?:(?:${words})(?![\p{L}\d])|${sign})\s*[.:=]?\s*`, 'iu');
const SEXES = {
  M: ofSex('♂', String.raw`m|males?|men|männer|mann|männl\w*|hommes?|homme|h|uomini|uomo|maschi\w*`),
  F: ofSex('♀', String.raw`f|w|females?|women|frauen|frau|weibl\w*|femmes?|femme|donne|donna|femmin\w*`),
} as const;

/** The categories of a test, of which the first one is usual: "< 30 negativo; 30-50 dubbio; > 50 positivo". */
const USUAL = new RegExp(
  [
    String.raw`(?<!\p{L})(?:neg\.?|negativ[eo]?|n[ée]gatif|normal[ei]?|optimal|ottimale|erwünscht|desirable|`,
    String.raw`souhaitable|nicht reaktiv|non[- ]?reactive)(?!\p{L})`,
  ].join(''),
  'iu',
);
const UNUSUAL = new RegExp(
  [
    String.raw`(?<!\p{L})(?:pos\.?|positiv[eo]?|positif|(?<!nicht )reaktiv|dubbi[oa]|borderline|equivocal|`,
    String.raw`indeterminate|grenzwertig|fraglich|douteux|limite|[ée]quivoque|erhöht|high|elevat[oi]|élevé)(?!\p{L})`,
  ].join(''),
  'iu',
);

function partOfUsual(text: string): string {
  const parts = text.split(/\s*[;|/]\s*|,\s(?=\p{L}|[<>≤≥])/u).filter((part) => /\d/.test(part));
  const usual = parts.filter((part) => USUAL.test(part) && !UNUSUAL.test(part));
  const [only] = usual;
  return only !== undefined && usual.length === 1 && parts.some((part) => UNUSUAL.test(part)) ? only : text;
}

/** A range of a phase of the cycle or of pregnancy; the paper does not say which one applies. */
const BY_PHASE =
  /(?<!\p{L})(?:foll?i[ck]ul|follikel|lut[eé]al|ovulat|zyklusmitte|mid-?cycle|trimest|schwanger|pregnan|grossesse|gravidanza)\p{L}*\W{0,3}(?=.*\d)/iu;
/** The years for which a range is: "age 40-49: 101-267". */
const FOR_AGE =
  /^[^:]*\d\s*(?:J\.?|Jahre|y|yrs?|years|ans|anni)?\s*:\s*(?=(?:[<>≤≥]|bis|up ?to|jusqu['’]?\s?[àa]|fino a)?\s?\d)/iu;

/**
 * Parses a printed reference range; null if the text is not one. If there are ranges by sex, it returns that of `sex`,
 * or null if the sex is unknown. A range in words for the other sex alone is none.
 */
export function parseReferenceRange(text: string, sex: 'M' | 'F' | null = null): ReferenceRange | null {
  const plain = text
    .replace(INTERVAL, '$1-$2')
    .replace(SLASHED, '$1-$2')
    .replace(/[[\](){}]/g, ' ')
    .replace(/[−‐‑‒―]/g, '-')
    .replace(/[^\S\u202f]+/g, ' ')
    .trim();
  const part = partFor(plain, sex);
  if (part === null || BY_PHASE.test(part)) return null;
  const own = partOfUsual(part.replace(FOR_AGE, ''));
  const between = BETWEEN.exec(own);
  if (between) {
    const low = parseNumber(between[1] ?? '')?.value ?? null,
      high = parseNumber(between[2] ?? '')?.value ?? null;
    if (low !== null && high !== null && low > high && THOUSANDS.test(between[2] ?? ''))
      return { low, high: Number((between[2] ?? '').replace(/\D/g, '')) };
    return low !== null && high !== null && low <= high ? { low, high } : null;
  }
  // "(-5,0)"
  const upTo = UP_TO.exec(text.trim())?.[1];
  if (upTo !== undefined) return { low: null, high: parseNumber(upTo)?.value ?? null };
  const below = BELOW.exec(own);
  if (below) return { low: null, high: parseNumber(below[1] ?? '')?.value ?? null };
  const above = ABOVE.exec(own);
  return above ? { low: parseNumber(above[1] ?? '')?.value ?? null, high: null } : null;
}

function partFor(text: string, sex: 'M' | 'F' | null): string | null {
  const male = SEXES.M.exec(text),
    female = SEXES.F.exec(text);
  if (!male || !female) {
    const other = sex === 'M' ? female : male;
    return sex !== null && other && /\p{L}{3}/u.test(other[0]) ? null : text;
  }
  if (sex === null) return ofBoth(text, male, female);
  const [own, other] = sex === 'M' ? [male, female] : [female, male];
  return own.index < other.index
    ? text.slice(own.index + own[0].length, other.index)
    : text.slice(own.index + own[0].length);
}

/** The range of both sexes if it is the same one; null if they differ. */
function ofBoth(text: string, male: RegExpExecArray, female: RegExpExecArray): string | null {
  const [first, second] = male.index < female.index ? [male, female] : [female, male];
  const [one, other] = [
    text.slice(first.index + first[0].length, second.index),
    text.slice(second.index + second[0].length),
  ];
  const bare = (part: string): string => part.replace(/[^\d.,<>≤≥-]+/gu, '');
  return bare(one) === bare(other) ? one : null;
}

/**
 * The sex for which a text is a range: "Uomini 13,5-17,5", "Donne: fino a 38"; null for other texts, and for the ranges
 * of both.
 */
export function sexOfRange(text: string): 'M' | 'F' | null {
  const [male, female] = [SEXES.M.exec(text), SEXES.F.exec(text)];
  const only = male && female ? null : (male ?? female);
  if (!only || only.index > 0) return null;
  const rest = text.slice(only[0].length);
  const isRange = /^[<>≤≥]?\s*\d/u.test(rest) || [BELOW, ABOVE].some((form) => form.exec(rest)?.index === 0);
  if (!isRange) return null;
  return male ? 'M' : 'F';
}

/** Whether a value is outside its range. `<0.3` is normal unless the lower limit is at least 0.3. */
export function isOutside(
  value: number,
  comparator: '<' | '>' | '≤' | '≥' | null,
  { low, high }: ReferenceRange,
): boolean {
  if (comparator === '<' || comparator === '≤') return low !== null && value <= low;
  if (comparator === '>' || comparator === '≥') return high !== null && value >= high;
  return (low !== null && value < low) || (high !== null && value > high);
}

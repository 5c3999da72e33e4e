import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { Segment } from '../layout/lines.ts';
import { isNegation, isWordResult } from './lab-words.ts';

/** A typed piece of a laboratory row. `bound` is a one-sided range whose comparator OCR lost: `90]`. */
export interface LabToken {
  kind: 'name' | 'number' | 'range' | 'bound' | 'unit' | 'flag';
  text: string;
  words: PageWord[];
  from: number;
  to: number;
  /** Index of its segment. */
  segment: number;
}

const NUMBER = String.raw`\d+(?:['’\u202f]\d{3})+(?:[.,]\d+)?|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:\.\d{3})+,\d+|\d+(?:[.,]\d+)?`;
const SEX = [
  String.raw`(?:m|f|w|h|d|male|female|men|women|männer|frauen|mann|frau|hommes?|femmes?|uomini|donne|maschi|`,
  String.raw`femmine|männl\.?|weibl\.?|♂|♀)\s*[.:=]?\s*`,
].join('');
const BETWEEN = [
  String.raw`(?:${NUMBER})\s*(?:[-–—−‐‑‒―]{1,2}|~|÷|…|\.{2,}|bis|to|à|a)\s*(?:${NUMBER})|[-+−](?:${NUMBER})\s*(?:-|–|—|−|`,
  String.raw`bis|to|à|a)\s*[-+−]?(?:${NUMBER})`,
].join('');
const ONE_SIDED = [
  String.raw`(?:bis|unter|kleiner(?: als)?|up ?to|less than|below|under|max\.?|jusqu['’]?\s?[àa]|`,
  String.raw`inf(?:érieur)?e?\.?(?: [àa])?|moins de|fino a|inferiore a|minore di|ab|über|grösser(?: als)?|`,
  String.raw`größer(?: als)?|mehr als|more than|above|over|greater than|min\.?|sup(?:érieur)?e?\.?(?: [àa])?|`,
  String.raw`plus de|superiore a|maggiore di|oltre)\s+(?:${NUMBER})`,
].join('');
const SPAN = String.raw`(?:${BETWEEN}|${ONE_SIDED}|[<>≤≥]=?\s*(?:${NUMBER}))`;
const RANGE = new RegExp(String.raw`^[[(]?\s*(?:${BETWEEN}|${ONE_SIDED})\s*[\])]?[,;]?`, 'iu');
/** "[0,40 ; 0,50]", as in mathematics. */
const INTERVAL = new RegExp(String.raw`^[[(\]]\s*(?:${NUMBER})\s*;\s*(?:${NUMBER})\s*[\])[][,;]?`, 'u');
const BY_SEX = new RegExp(String.raw`^[[(]?\s*${SEX}${SPAN}[\s,;/|]+${SEX}${SPAN}\s*[\])]?$`, 'iu');
const COMPARED = new RegExp(String.raw`^(?:[<>≤≥]\s?(?:or\s?)?=?|[«‹»›€£](?=\s*\d))\s*(?:${NUMBER})[,;]?`, 'iu');
/** "(<5)", and "(-5)" for up to five. */
const BRACKETED = new RegExp(
  String.raw`^[[(]\s*(?:(?:[<>≤≥]=?|[«‹»›]|[-–](?=\s?\d[\d.,]*\s*[\])]))\s*(?:${NUMBER}))\s*[\])]?[,;]?`,
  'u',
);
/** The end of a bracket that began before a word: `[Norm: <5]`. */
const CLOSED = new RegExp(String.raw`^[<>≤≥]=?\s*(?:${NUMBER})\s*[\])]$`, 'u');
const BOUND = new RegExp(String.raw`^(?:${NUMBER})\s*[\])][,;]?`, 'u');
const PLAIN = new RegExp(String.raw`^[+-]?(?:${NUMBER})(?![\p{L}\d])[,;]?`, 'u');
/** "(d1)" is the code of an allergen, not a damaged "dl". */
const ALLERGEN = /^[[(][a-z]{1,2}\d{1,3}[\])]$/;
const UNIT_IN_BRACKETS = /^[[(](.+)[\])]$/u;
/** Dots between a name and its value, and what a photo makes of them: "..,.:..". */
const LEADER = /^(?:[.·…_]{2,}|(?=.*[.·…_•])[.·…_•,:;'’~-]{3,})$/u;
/** One of them, beside another one, or between two hyphens that lead as well. */
const LEADER_SIGN = /^[.·_•]$/u;
const LEADER_HYPHEN = /^[-–]$/u;
/** Dots that a photo joins to the name and the value: "Glucose.....5,4". */
const JOINED_BY_LEADER = /^(.*[\p{L})%])?[.·…_•]{3,}([<>]?\d.*)$/u;
/** "Glucose after 60 min": how long after a drink the sample was taken is part of the name. */
const IS_AFTER = /^(?:dopo|after|post|nach|apr[èe]s)$/iu;
const TIME = /^\d{1,3} (?:min(?:uten|utes|uti)?|mn|h|std|stunden?|hours?|hrs?|heures?|ore)[.:]?$/iu;
const HOURS = /^\d{1,2} (?:hours?|hrs?|stunden?|std\.?|heures?|ore)$/iu;
/** Maximum number of words of a piece; a range by sex has up to eight: `m : 13.5 - 17.5 / f : 12.0`. */
const MAX_WORDS = 9;

/**
 * Splits the segments of a line into typed pieces. Words that are not a number, range, unit or flag belong to the name.
 */
export function labTokens(segments: readonly Segment[]): LabToken[] {
  const counted = segments.some(({ words }) => words.some(({ text }) => COUNTED.test(text)));
  return segments.flatMap((segment, index) => tokensOfSegment(segment, index, counted));
}

function tokensOfSegment(segment: Segment, index: number, counted: boolean): LabToken[] {
  const tokens: LabToken[] = [];
  const words = withThousands(
    withoutRules(segment.words)
      .map((word, at) => (index + at > 0 ? withoutCurlyBrackets(word) : word))
      .flatMap(partedRange)
      .flatMap(parted)
      .map((word, at, all) => withoutFullStop(word, at + (all.length === 1 ? index : 0), all)),
    counted,
  );
  let at = 0;
  const push = (kind: LabToken['kind'], count: number): void => {
    const own = words.slice(at, at + count);
    const first = own[0],
      last = own.at(-1);
    if (!first || !last) return;
    const text = own.map((word) => word.text).join(' ');
    const before = tokens.at(-1);
    if (kind === 'name' && before?.kind === 'name' && !isWordResult(text) && !isWordResult(before.text))
      Object.assign(before, { text: `${before.text} ${text}`, words: [...before.words, ...own], to: last.x + last.w });
    else tokens.push({ kind, text, words: own, from: first.x, to: last.x + last.w, segment: index });
    at += count;
  };
  while (at < words.length) {
    const [kind, count] = pieceAt(words, at, { begun: tokens.length > 0, isFirst: index === 0 });
    push(kind, count);
  }
  return tokens;
}

/** "{110 to 140}" */
function withoutCurlyBrackets(word: PageWord): PageWord {
  const text = word.text.replace(/^\{(?=[<>≤≥]?\d)/u, '[').replace(/(?<=\d)\}(?=[,;]?$)/u, ']');
  return text === word.text ? word : { ...word, text };
}

/**
 * "… CRP 4, ALT 24." and "… (7-56)." end with a number or range, not with a decimal point; a number alone in a cell
 * behind the first one neither.
 */
const withoutFullStop = (word: PageWord, at: number, words: readonly PageWord[]): PageWord => {
  const isNumber = (words.length > 1 ? /\d[\])]?\.$/ : /^\d+\.$/).test(word.text);
  const isUnitBehind = /\p{L}\.$/u.test(word.text) && /^[<>]?\d/.test(words[at - 1]?.text ?? '');
  const rest = word.text.slice(0, -1);
  const isEnd = at > 0 && at >= words.length - 1 && (isNumber || (isUnitBehind && rest.includes('/') && isUnit(rest)));
  return isEnd ? { ...word, text: rest } : word;
};

/** The name and the value of a word in which dots join them. */
function withoutLeaderWithin(word: PageWord): PageWord[] {
  const [, name = '', value] = JOINED_BY_LEADER.exec(word.text) ?? [];
  if (value === undefined) return [word];
  const widthOf = (text: string): number => (word.w * text.length) / word.text.length;
  const behind = { ...word, text: value, x: word.x + word.w - widthOf(value), w: widthOf(value) };
  return name === '' ? [behind] : [{ ...word, text: name, w: widthOf(name) }, behind];
}

/** Whether a hyphen is one of three and more in a row; one or two may be the sign of a low result. */
function isLeadingHyphen(words: readonly PageWord[], at: number): boolean {
  const isHyphen = (i: number): boolean => LEADER_HYPHEN.test(words[i]?.text ?? '');
  return (
    isHyphen(at) && [at - 2, at - 1, at].some((from) => isHyphen(from) && isHyphen(from + 1) && isHyphen(from + 2))
  );
}

/** Drops leaders; a rule between results, as in `pH 7,41 | pCO2 38`, is a comma. */
const withoutRules = (words: readonly PageWord[]): PageWord[] =>
  words
    .flatMap(withoutLeaderWithin)
    .filter(({ text }, i, all) => {
      const isInRow = all[i - 1]?.text === text || all[i + 1]?.text === text;
      return !LEADER.test(text) && !(isInRow && LEADER_SIGN.test(text)) && !isLeadingHyphen(all, i);
    })
    .flatMap((word, i, all) => {
      if (/^[|¦]$/.test(word.text)) return [];
      const isBeforeRule = i > 0 && /^[|¦]$/.test(all[i + 1]?.text ?? '') && /[\p{L}\d%]$/u.test(word.text);
      return [
        isBeforeRule &&
        /\d/.test(
          all
            .slice(0, i + 1)
            .map(({ text }) => text)
            .join(''),
        )
          ? { ...word, text: `${word.text},` }
          : word,
      ];
    });

/**
 * The kind of piece that begins at a word, and its number of words. `begun` means that the segment has words before it,
 * `isFirst` that it is the first of its line.
 */
function pieceAt(
  words: readonly PageWord[],
  at: number,
  { begun, isFirst }: { begun: boolean; isFirst: boolean },
): [LabToken['kind'], number] {
  const wordsLeft = words.length - at;
  const rest = (count: number): string =>
    words
      .slice(at, at + count)
      .map((word) => word.text)
      .join(' ');
  // "2 hour plasma glucose"
  if (at === 0 && isFirst && wordsLeft > 2 && HOURS.test(rest(2))) return ['name', 2];
  if (at > 0 && IS_AFTER.test(words[at - 1]?.text ?? '') && TIME.test(rest(2))) return ['name', 2];
  const span = longest(
    wordsLeft,
    (count) =>
      matchesWhole(rest(count), RANGE) ||
      matchesWhole(rest(count), BRACKETED) ||
      matchesWhole(rest(count), INTERVAL) ||
      (begun && matchesWhole(rest(count), CLOSED)) ||
      matchesWhole(rest(count), BY_SEX),
  );
  if (span > 0) return ['range', span];
  const compared = longest(Math.min(4, wordsLeft), (count) => matchesWhole(rest(count), COMPARED));
  if (compared > 0) return ['number', compared];
  const text = words[at]?.text ?? '';
  const bracketed = longest(Math.min(3, wordsLeft), (count) =>
    isUnit(UNIT_IN_BRACKETS.exec(rest(count))?.[1] ?? '', {
      inColumn: rest(count).startsWith('[') || count === wordsLeft,
    }),
  );
  if (bracketed > 0 && parseLabFlag(rest(bracketed)) === null && !ALLERGEN.test(rest(bracketed)))
    return ['unit', bracketed];
  const unit = longest(
    Math.min(4, wordsLeft),
    (count) => isUnit(rest(count), { inColumn: words.length === count }) && !ALLERGEN.test(rest(count)),
  );
  // "mmol/l 136 - 145" may be one cell.
  const isBeforeRange = !isFirst && rest(unit).includes('/') && /^[-+[(<>≤≥]?\d/.test(words[at + unit]?.text ?? '');
  const isAfterNumber = at > 0 && matchesWhole(words[at - 1]?.text ?? '', PLAIN);
  // "5,8 IU/": the end of a unit was lost.
  if (isAfterNumber && /\p{L}\/$/u.test(text) && isUnit(text, { inColumn: true })) return ['unit', unit > 1 ? unit : 1];
  if (isAfterNumber && /^(?:s|secs?\.?|sek\.?|Sek\.?|g)$/.test(text) && isLastOrBeforeRange(words[at + 1]))
    return ['unit', 1];
  // "18,4 Index" in one cell.
  if (isAfterNumber && wordsLeft === 1 && /^\p{L}{4,}$/u.test(text) && isUnit(text, { inColumn: true }))
    return ['unit', 1];
  // "ANA titer" is a name.
  if (unit > 0 && isFirst && begun && !isAfterNumber && /^tit(?:er|re|olo)$/i.test(rest(unit))) return ['name', unit];
  if (unit > 0 && (begun || words.length === unit || isBeforeRange)) return ['unit', unit];
  if (matchesWhole(text, BOUND) && /^[\d.,]+\s*[\])]/.test(text)) return ['bound', 1];
  if (matchesWhole(text, PLAIN)) return ['number', 1];
  if (/^(?:[*+↑↓▲▼↗↘!]{1,3}|-)$/.test(text) && !begun && wordsLeft > 1) return ['flag', 1];
  // "Influenza A RNA", "Hepatitis A IgM"
  const isLetterInName =
    isFirst &&
    /^\p{Lu}$/u.test(text) &&
    /^\p{L}{2}/u.test(words[at + 1]?.text ?? '') &&
    /^\p{L}+$/u.test(words[at - 1]?.text ?? '');
  // "H 112" beside the earlier results "98" and "104"
  const isBeforeNumber =
    !isFirst &&
    wordsLeft > 1 &&
    /^(?:H{1,2}|L{1,2}|HI|LO)$/.test(text) &&
    matchesWhole(words[at + 1]?.text ?? '', PLAIN);
  const isDashInName = /^[-–]$/.test(text) && /^\p{L}{3}/u.test(words[at + 1]?.text ?? '');
  if (
    parseLabFlag(text) &&
    !isDashInName &&
    !isLetterInName &&
    (begun || words.length === 1 || isBeforeNumber) &&
    !/^\p{L}{3,}$/u.test(text)
  )
    return ['flag', 1];
  const word = longest(Math.min(3, wordsLeft), (count) => isWordResult(rest(count)));
  // Words of a result may fill their cell ("nicht nachweisbar") or end it; a denied one is never torn apart.
  const isWhole = at + word === words.length && (begun || word > 1);
  return ['name', word > 0 && (isWhole || (word > 1 && isNegation(text))) ? word : 1];
}

const isLastOrBeforeRange = (next: PageWord | undefined): boolean =>
  next === undefined || /^[[(<>≤≥]?\d|^[[(]$/.test(next.text);

/** The largest number of words that satisfies the test. */
function longest(available: number, test: (count: number) => boolean): number {
  for (let count = Math.min(MAX_WORDS, available); count > 0; count -= 1) if (test(count)) return count;
  return 0;
}

const matchesWhole = (text: string, form: RegExp): boolean => form.exec(text)?.[0].length === text.length;

const COUNTED = /^(?:\/\s?(?:mm[³3]|[µμu][lL])|mm[³3])$/;
/** Joins thousands that are separated by a space into one number: `245 000` and, for cell counts, `7 450`. */
function withThousands(words: readonly PageWord[], counted: boolean): PageWord[] {
  return words.reduce<PageWord[]>((joined, word) => {
    const last = joined.at(-1);
    if (
      !last ||
      !/^\d{3}[)\],]?$/.test(word.text) ||
      !/^[[(<>]?\d{1,3}(?:\u202f\d{3})*$/.test(last.text) ||
      !(counted || word.text.startsWith('000'))
    )
      return [...joined, word];
    return [...joined.slice(0, -1), { ...last, text: `${last.text}\u202f${word.text}`, w: word.x + word.w - last.x }];
  }, []);
}

/** "12.4 g/di", "5 mmol/!" */
const LITRE_AS_SIGN = /^((?:[HµμmnpkG]?g|[mµnp]?mol|[mµk]?(?:IU|UI|U))\/d?)[i!]$/u;
/** "TptYI", "GYl": the slash grew together with what is left of it. */
const LITRE_WITH_SLASH = /^(G|T|Gpt|Tpt|U|mmol|µmol|nmol|pmol|mU)Y[Il1]$/u;
/** "6.1 GA", "96 UA" were "G/l" and "U/l". */
const LITRE_AS_LETTER = /^(G|T|U|IU|IE|UI|mmol|µmol|nmol|pmol|mU)A$/u;

/**
 * "0.38t0 5.33", "30to 130", "3.5t05.3": the word between two bounds, read with a zero or grown together with the
 * first one or with both.
 */
function partedRange(word: PageWord, at: number, words: readonly PageWord[]): PageWord[] {
  const [, from, to] = /^([[(]?\d+(?:[.,]\d+)?)t[o0](\d+(?:[.,]\d+)?[\])]?)$/u.exec(word.text) ?? [];
  if (from !== undefined && to !== undefined && numberIn(from) < numberIn(to)) return partedAt(word, [from, 'to', to]);
  const low = /^([[(]?\d+(?:[.,]\d+)?)t[o0]{1,2}$/u.exec(word.text)?.[1];
  const isBeforeNumber = /^\d/.test(words[at + 1]?.text ?? '');
  if (low === undefined || !isBeforeNumber)
    return isBeforeNumber && /^t[o0]{1,2}$/.test(word.text) && /\d$/.test(words[at - 1]?.text ?? '')
      ? [{ ...word, text: 'to' }]
      : [word];
  return partedAt(word, [low, 'to']);
}

const numberIn = (text: string): number => parseNumber(text.replace(/[[(\])]/g, ''))?.value ?? 0;

/** The parts of a word as words of their own, which share its width. */
function partedAt(word: PageWord, parts: readonly string[]): PageWord[] {
  const letters = parts.join('').length;
  let x = word.x;
  return parts.map((text) => {
    const w = (word.w * text.length) / letters;
    x += w;
    return { ...word, text, x: x - w, w };
  });
}

/** Other characters for comparators. */
const SIGNS: Record<string, string> = { '≧': '≥', '⩾': '≥', '≦': '≤', '⩽': '≤', '＜': '<', '＞': '>' };

/** "G/LH": a flag that grew together with the unit before it. */
const UNIT_AND_FLAG = /^(\p{L}{1,4}\/[dmµ]?[lL])([HL])$/u;

/**
 * Splits `6.45mmol/L` into number and unit, and `12.6H` into number and flag; table rules at the ends of a word are
 * removed.
 */
function parted(printed: PageWord): PageWord[] {
  const bare = printed.text
    .replace(/^(?:N|VN|V\.?N\.?|VR|V\.?R\.?|Réf|Ref|Norm)?\.?:(?=[\d<>])/i, '')
    .replace(/^(?:[|¦]+|[.·…_]{2,})(?=.)|(?<=.)[|¦_]+$/gu, '')
    .replace(/^([<>])(?:OR|\/)=/i, '$1=')
    .replace(/^=([<>])(?=\d)/, '$1=')
    .replace(/^[≧⩾≦⩽＜＞](?=\s*\d|$)/u, (sign) => SIGNS[sign] ?? sign)
    // OCR reads specks, stars and footnote signs after a number.
    .replace(/^([<>≤≥]?\d[\d.,]*)['’‘"“”°º]+$/u, '$1')
    // "/l" in small print is read as one letter.
    // A star before a number is read as a quotation mark.
    .replace(/^[“”„"](\d[\d.,]*)[\])]?$/u, '*$1')
    // "mg/1!", "g/dl!": a flag behind the unit.
    .replace(/^((?:[HµμmnpkG]?g|[mµnp]?mol|[mµk]?(?:IU|UI|U))\/d?)[1lLI]!$/u, '$1l')
    .replace(LITRE_AS_LETTER, '$1/l')
    .replace(LITRE_WITH_SLASH, '$1/l')
    .replace(LITRE_AS_SIGN, '$1l')
    // "mmol/!l", "g/dL…"
    .replace(/(?<=\p{L}\/d?)[!|](?=[lL]$)|(?<=\p{L}\/d?[lL])[….·]+$/gu, '')
    .replace(/^([[(]?[↑↓▲▼+*!]{1,3}[\])]?)[,;]$/u, '$1')
    // "55%!" in narrow columns
    .replace(/^(\d[\d.,]*%)[!*]{1,2}$/u, '$1')
    // "8<", "3,71>": the number is too low or too high.
    .replace(/^(\d[\d.,]*)<$/u, '$1↓')
    .replace(/^(\d[\d.,]*)>$/u, '$1↑')
    // A small triangle behind a number is read as a letter.
    .replace(/^(\d[\d.,]*)[vV]$/u, '$1↓');
  const word = bare === printed.text ? printed : { ...printed, text: bare };
  const starred = /^(\*{1,2})([<>≤≥]?\d.*)$/u.exec(word.text);
  if (starred?.[1] && starred[2]) {
    const share = starred[1].length / word.text.length;
    return [
      { ...word, text: starred[1], w: word.w * share },
      ...parted({ ...word, text: starred[2], x: word.x + word.w * share, w: word.w * (1 - share) }),
    ];
  }
  const [, unit, flag] = UNIT_AND_FLAG.exec(word.text) ?? [];
  if (unit !== undefined && flag !== undefined && isUnit(unit) && !isUnit(word.text))
    return partedAt(word, [unit, flag]);
  const parts = /^([<>≤≥]?\d+(?:[.,]\d+)?)([^\d.,)\]].*)$/u.exec(word.text);
  const [, value, end] = parts ?? [];
  // "389.000/µl." ends a sentence.
  const rest = end?.includes('/') && end.endsWith('.') ? end.slice(0, -1) : end;
  if (
    !value ||
    !rest ||
    /^(?:9\/[dm]?[lL]|[1-4]\+)$/.test(word.text) ||
    !(isUnit(rest) || parseLabFlag(rest) || /^\*+$/.test(rest))
  )
    return [word];
  const share = value.length / word.text.length;
  return [
    { ...word, text: value, w: word.w * share },
    { ...word, text: rest, x: word.x + word.w * share, w: word.w * (1 - share) },
  ];
}

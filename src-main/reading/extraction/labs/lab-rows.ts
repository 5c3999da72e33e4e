import { parseLabFlag, type LabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { columnAt, distanceTo, type Column } from '../layout/table.ts';
import type { Line } from '../layout/lines.ts';
import type { LabColumn } from './lab-columns.ts';
import { spreadOverColumns, tidyCells } from './lab-day-cells.ts';
import { isDated, withoutMargin } from './lab-table.ts';
import { SYMBOLS, withoutIntroduction } from './lab-names.ts';
import { isKnownTest, isListedTest, isWordResult } from './lab-words.ts';
import { amountOf, parseSusceptibility, STAR, withoutFlags } from './lab-marks.ts';
import {
  rangeOfBounds,
  rangeOfRest,
  rangeText,
  splitRange,
  textOfTokens,
  textOfUnits,
  withPhases,
} from './lab-range-text.ts';
import {
  hasLetters,
  hasSecondNumber,
  isBesideName,
  isFlagBeside,
  isResult,
  isSentence,
  isStarred,
  nameOf,
  unitOfName,
  withoutFootnote,
  withoutText,
} from './lab-row-text.ts';
import { rangeBehindName } from './lab-range-behind-name.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';

export interface LabValue {
  text: string;
  token: LabToken;
  date: string | null;
  flag: LabFlag | null;
  /** Whether characters of the number had to be guessed. */
  isGuessed?: boolean;
}

/** The cells of one row as printed. */
export interface LabCells {
  line: Line;
  name: string;
  nameToken: LabToken | null;
  /** Several values if the columns are dates. */
  values: LabValue[];
  unit: string | null;
  range: string | null;
  /** A bound whose comparator OCR lost, and a lone number under the heading of ranges, in a scan such a bound too. */
  bound: string | null;
  bareBound: string | null;
  flag: LabFlag | null;
  /** Text of other columns, such as sample or method. */
  beside: string;
  /** Text of a column of dates. */
  dateBeside: string | null;
  isUnderHeader: boolean;
  /** Whether a star is printed before the name. */
  isStarred: boolean;
  /** Whether the row says how a germ answers to an antibiotic. */
  isSusceptibility: boolean;
  /** Whether the table has columns of units or ranges. */
  hasOtherColumns: boolean;
}

/** Maximum length of a row's name; longer text is a sentence. */
const MAX_NAME_BYTES = 9;
/** Heading of a column with the days of the samples. */
const DATES = /^(?:datum|dates?|data|entnahme(?:datum)?|collected|prélevé le|prelievo)$/iu;
/** A number farther than this from every heading is in a column without a heading. */
const MAX_DISTANCE = 0.05;
/** How OCR reads the rules around a unit in a box. */
const RULE = /^[tIlB1|!]$/;
/** A mark farther than this from a number of one day is of another one. */
const FAR_MARK = 0.03;

/** Words before the range of the same row: "Zielwert < 70", "desiderabile < 200". */
const INTRODUCES_RANGE = new RegExp(
  [
    String.raw`^[[(]?(?:ziel(?:wert|bereich)?|soll|norm(?:al|wert|bereich)?|ref(?:erenz|\.)?|target|goal|desirable|`,
    String.raw`(?:standard|reference|normal|ref\.?) (?:range|interval)|valeurs? de référence|`,
    String.raw`intervallo di riferimento|valor[ei] (?:di riferimento|normali?|attes[oi])|`,
    String.raw`optimal|normal|expected|desiderabile|ottimale|rif\.?|`,
    String.raw`souhaitable|objectif|cible|optimum|erwünscht|empfohlen|recommended|nüchtern|cut-?off)[:.]?$`,
  ].join(''),
  'iu',
);

/** Reads a row under headings. The kind of a token outweighs its position, but numbers follow their column. */
export function cellsUnder(whole: Line, columns: readonly Column<LabColumn>[]): LabCells | null {
  const line = tidyCells(withoutMargin(whole, columns), columns);
  const tokens = labTokens(line.segments);
  if (tokens.length === 0 || isSentence(tokens)) return null;
  const cells: { role: LabColumn; token: LabToken; column: Column<LabColumn> }[] = [];
  const nameSegment = segmentOfName(line, tokens, columns);
  for (const token of tokens) {
    const column = columnAt(columns, token.from, token.to);
    if (column) cells.push({ role: roleOf(token, column, { nameSegment, tokens }), token, column });
  }
  rangeBehindName(cells, columns);
  spreadOverColumns(cells, columns);
  const of = (role: LabColumn): LabToken[] => cells.filter((cell) => cell.role === role).map(({ token }) => token);
  const columnOf = (token: LabToken | undefined) => cells.find((cell) => cell.token === token)?.column;
  const inRange = of('range');
  const range = inRange.filter(({ kind }) => kind !== 'unit');
  const inUnits = of('unit'),
    printed = inUnits.filter(({ kind }) => kind === 'unit');
  const own = printed.length > 0 ? printed : inUnits.filter(({ text }) => !isWordResult(text) && !RULE.test(text));
  // A unit may follow only the range: "135 - 145 mmol/l". Of two units, the first one belongs to the first value.
  // A unit in the column of units outweighs one beside the number, which is a misread digit: "3%" above "U/l".
  const firstUnit = own.find((token) => columnOf(token)?.role === 'unit') ?? own[0];
  const firstUnits = own.filter((token) => columnOf(token) === columnOf(firstUnit));
  const isUnitOfNumber = own.some((token) => columnOf(token)?.role === 'value') && columnOf(firstUnit)?.role === 'unit';
  const units = firstUnits.length > 0 ? firstUnits : inRange.filter(({ kind }) => kind === 'unit').slice(0, 1);
  const { name: named, range: rangeBeside } = splitRange(withoutFootnote(of('test')));
  const inName = units.length === 0 ? (rangeBeside.find(({ kind }) => kind === 'unit') ?? unitOfName(named)) : null;
  const name = inName ? named.filter((token) => token !== inName) : named;
  if (range.length === 0) range.push(...rangeBeside.filter(({ kind }) => kind !== 'unit'));
  return {
    line,
    name: nameOf(name),
    nameToken: name[0] ?? null,
    isUnderHeader: true,
    isStarred: nameOf(name).startsWith('*'),
    isSusceptibility: false,
    hasOtherColumns: columns.some(({ role }) => role === 'unit' || role === 'range'),
    values: valuesOf(cells).map((value) =>
      isUnitOfNumber || hasSecondNumber(cells, value.token) ? { ...value, isGuessed: true } : value,
    ),
    unit: inName?.text ?? (units.length > 0 ? textOfUnits(units) : unitOfShare(columns)),
    range: range.length > 0 ? rangeText(range) : rangeOfBounds(of('low'), of('high')),
    bound: range.find((token) => token.kind === 'bound')?.text ?? null,
    bareBound: range.length === 1 && range[0]?.kind === 'number' ? range[0].text : null,
    flag:
      of('flag')
        .map((token) => parseSusceptibility(token.text) ?? parseLabFlag(token.text))
        .find((flag) => flag !== null) ?? null,
    beside: textOfTokens(of('other')),
    dateBeside:
      textOfTokens(
        cells.flatMap(({ role, token, column }) => (role === 'other' && DATES.test(column.text) ? token : [])),
      ) || null,
  };
}

/** The unit in the only heading of results, if it is nothing else: "%" above the shares of a count. */
function unitOfShare(columns: readonly Column<LabColumn>[]): string | null {
  const [value, ...others] = columns.filter(({ role }) => role === 'value');
  return value && others.length === 0 && isUnit(value.text, { inColumn: true }) ? value.text : null;
}

/**
 * The segment that is entirely the name ("CA 19-9", "25-OH-Vitamin D"): the first one, if other cells follow and it is
 * not under another heading.
 */
function segmentOfName(line: Line, tokens: readonly LabToken[], columns: readonly Column<LabColumn>[]): number | null {
  const [first] = line.segments;
  if (!first || line.segments.length < 2) return null;
  const test = columns.find(({ role }) => role === 'test');
  const own = columnAt(columns, first.bbox[0], first.bbox[0] + first.bbox[2]);
  const named =
    own?.role === 'test' ||
    (own !== undefined && distanceTo(own, first.bbox[0], first.bbox[0] + first.bbox[2]) > 0) ||
    (test !== undefined && test.from <= first.bbox[0] + 0.02 && own?.role !== 'other');
  return named && tokens.some(({ segment, text }) => segment === 0 && /\p{L}/u.test(text)) ? 0 : null;
}

interface Neighbours {
  nameSegment: number | null;
  tokens: readonly LabToken[];
}

function roleOf(
  token: LabToken,
  { role: column, from, to }: Column<LabColumn>,
  { nameSegment, tokens }: Neighbours,
): LabColumn {
  const distance = Math.max(0, from - token.to, token.from - to);
  // A name that is printed too close to its results is in the same segment: "Kalium 4.5 mmol/l".
  if (column === 'test' && token.kind === 'number' && nameSegment !== null && token.segment !== nameSegment)
    return 'other';
  if (token.segment === nameSegment && (column === 'test' || token.kind === 'name' || distance > 0)) return 'test';
  const far = distance > MAX_DISTANCE;
  // If a unit is present, `H` and `L` alone are flags: results are not measured in liters or henries.
  if (
    token.kind === 'unit' &&
    parseLabFlag(token.text) !== null &&
    (distance > 0 || column === 'flag' || tokens.some((other) => other !== token && other.kind === 'unit'))
  )
    return 'flag';
  if (token.kind === 'unit' && column !== 'range' && column !== 'previous' && column !== 'other')
    return column === 'test' && !token.text.startsWith('[') && token.segment !== nameSegment ? 'test' : 'unit';
  if (token.kind === 'flag' && (column === 'value' || column === 'unit' || column === 'flag')) return 'flag';
  if (
    (token.kind === 'range' || token.kind === 'bound') &&
    column !== 'previous' &&
    column !== 'test' &&
    column !== 'other'
  )
    return 'range';
  if (column === 'low' || column === 'high') return token.kind === 'number' && !far ? column : 'other';
  if (far && (token.kind === 'number' || (token.kind === 'name' && column === 'unit'))) return 'other';
  if (token.kind === 'number' && (column === 'unit' || column === 'flag'))
    return isBoundBehindNumber(token, tokens) ? 'range' : 'value';
  if (
    token.kind === 'name' &&
    column === 'value' &&
    !isResult(token) &&
    token.text.length > 3 &&
    !isStarred(token, tokens)
  )
    return /^\d[\d\W]+$/.test(token.text) ? 'value' : 'other';
  if (token.kind === 'name' && column === 'unit' && isWordResult(token.text))
    return tokens.some((other) => other !== token && other.segment !== nameSegment && isResult(other))
      ? 'range'
      : 'value';
  return column;
}

/** "284   U/l   < 190" in narrow columns. */
const isBoundBehindNumber = (token: LabToken, tokens: readonly LabToken[]): boolean =>
  /^[<>≤≥]/.test(token.text) && tokens[tokens.indexOf(token) - 1]?.kind === 'unit';

/** The first result in each value column; if columns have dates, only in those. */
function valuesOf(cells: readonly { role: LabColumn; token: LabToken; column: Column<LabColumn> }[]): LabValue[] {
  const values = cells.filter(({ role, token }) => role === 'value' && token.kind !== 'flag' && token.kind !== 'unit');
  const dated = values.filter(({ column, token }) => column.role === 'value' && isDated(column) && hasLetters(token));
  if (dated.length === 0) {
    const inColumn = values.filter(({ column }) => column.role === 'value');
    const amount = cells.find(({ token, column }) => column.role === 'value' && amountOf(token));
    const [any] = inColumn.length > 0 ? inColumn : [...values, ...(amount ? [amount] : [])];
    const first = inColumn.find(({ token }) => isResult(token)) ?? any;
    return first ? [{ text: first.token.text, token: first.token, date: null, flag: null }] : [];
  }
  // Two columns may be of the same day: "06:10" and "18:40".
  const byColumn = new Map<Column<LabColumn>, LabValue>();
  const marks = cells.filter(({ token }) => token.kind === 'flag');
  for (const { token, column } of dated) {
    const mark = marks.find((cell) => gapOf(cell.token, token) < FAR_MARK && isNearest(cell.token, token, dated));
    if (!byColumn.has(column))
      byColumn.set(column, {
        text: token.text,
        token,
        date: column.text,
        flag: mark ? parseLabFlag(mark.token.text) : null,
      });
  }
  // The newest day first, in whatever order the columns are printed.
  return [...byColumn.values()].sort((a, b) => (b.date ?? '').localeCompare(a.date ?? ''));
}

const gapOf = (one: LabToken, other: LabToken): number => Math.max(one.from - other.to, other.from - one.to, 0);
/** Whether no other number is nearer to a mark, which may be printed before or behind its number. */
const isNearest = (mark: LabToken, number: LabToken, numbers: readonly { token: LabToken }[]): boolean =>
  numbers.every(({ token }) => token === number || gapOf(mark, token) >= gapOf(mark, number));

/**
 * Reads the rows of a line without headings by the kinds and order of tokens: name, value, then unit, range and flag in
 * any order. A line may contain several rows.
 */
export function cellsWithout(line: Line): LabCells[] {
  return chunksOf(labTokens(line.segments))
    .flatMap(sharesAndCounts)
    .flatMap((tokens) => chunkCells(line, tokens) ?? []);
}

/** Whether a number is in a range or near it. */
function fits(number: LabToken | undefined, range: LabToken): boolean {
  const { low, high } = parseReferenceRange(range.text) ?? { low: null, high: null };
  const value = parseNumber(number?.text ?? '')?.value;
  return value !== undefined && low !== null && high !== null && value >= low * 0.8 && value <= high * 1.25;
}

/** "Lymphocytes 28,4 % 1,82 G/L (1,00 - 4,00)" are two results; a range belongs to the number before it. */
function sharesAndCounts(tokens: LabToken[]): LabToken[][] {
  const first = tokens.findIndex(({ kind }) => kind === 'number');
  const share = tokens.findIndex(({ kind, text }, i) => i > first && kind === 'unit' && text === '%');
  const count = tokens.findIndex(
    ({ kind }, i) => i > share && kind === 'number' && tokens[i + 1]?.kind === 'unit' && tokens[i + 1]?.text !== '%',
  );
  if (first < 1 || share < 0 || share > first + 2 || count < 0) return [tokens];
  const [shares, counts] = [tokens.slice(0, count), [...tokens.slice(0, first), ...tokens.slice(count)]];
  const range = counts.find(({ kind }) => kind === 'range');
  if (!range || !fits(tokens[first], range) || fits(tokens[count], range)) return [shares, counts];
  return [[...shares, range], counts.filter((token) => token !== range)];
}

/** A name after a complete result begins another row: two tables side by side, or `CRP 12 mg/l, Hb 13.2 g/dl`. */
function chunksOf(tokens: readonly LabToken[]): LabToken[][] {
  const chunks: LabToken[][] = [];
  let hasNumber = false,
    before: LabToken | undefined;
  tokens.forEach((token, i) => {
    const separated =
      before !== undefined &&
      (before.segment !== token.segment || /[,;]$/.test(before.text) || before.kind !== 'number');
    const begins =
      token.kind === 'name' &&
      hasNumber &&
      separated &&
      !isWordResult(token.text) &&
      !INTRODUCES_RANGE.test(token.text) &&
      (/^[^[(]*\p{L}{2}/u.test(token.text) || SYMBOLS.test(withoutIntroduction(token.text))) &&
      tokens.slice(i + 1, i + 3).some(isResult) &&
      (before?.segment !== token.segment ||
        isKnownTest(withoutIntroduction(token.text)) ||
        SYMBOLS.test(withoutIntroduction(token.text)) ||
        (/[,;]$/.test(before.text) && tokens[i + 1]?.kind === 'number' && tokens[i + 2]?.kind === 'unit'));
    const last = chunks.at(-1);
    if (!last || begins) chunks.push([token]);
    else last.push(token);
    hasNumber = begins ? false : hasNumber || token.kind === 'number';
    before = token;
  });
  return chunks;
}

function chunkCells(line: Line, printed: readonly LabToken[]): LabCells | null {
  const stars = printed.findIndex(({ kind, text }) => kind !== 'flag' || !STAR.test(text));
  const tokens = withoutFlags(printed.slice(Math.max(0, stars)));
  const firstSegment = tokens[0]?.segment;
  const wholeSegment =
    tokens[0]?.kind === 'name' &&
    tokens.some((token) => token.segment !== firstSegment && isResult(token)) &&
    !tokens.some(
      (token, i) =>
        i > 0 && token.segment === firstSegment && token.kind === 'number' && tokens[i + 1]?.kind === 'unit',
    );
  const head = wholeSegment ? tokens.filter((token) => token.segment === firstSegment) : leadingNames(tokens);
  const { name: named, range: rangeBeside } = splitRange(withoutFootnote(head));
  const rest = [...withoutText(tokens, tokens.slice(head.length)), ...rangeBeside];
  const inName = unitOfName(named);
  const name = nameOf(inName ? named.slice(0, -1) : named);
  if (head.length === 0 || name.split(' ').length > MAX_NAME_BYTES) return null;
  const words = rest.filter((token) => token.kind === 'name' && isResult(token));
  const numbers = rest.filter((token) => token.kind === 'number');
  // "positiv   Cut-off 50 ng/ml": the number is a limit.
  const cutOff = rest.find(({ kind, text }) => kind === 'name' && /(?:^|\s)cut-?off[:.]?$/iu.test(text));
  const limited = cutOff && words[0] && words[0].from < cutOff.from ? words[0] : null;
  const value = limited ?? numbers[0] ?? rest.find((token) => amountOf(token) || token === words[0]);
  if (!value || !isBesideName(rest, value)) return null;
  const isListed = value.kind === 'name' && /[,;]$/.test(value.text);
  const last = rest.at(-1);
  const susceptibility = numbers.length > 0 && last && last !== value ? parseSusceptibility(last.text) : null;
  const ranges = rest.filter((token) => token.kind === 'range');
  return {
    line,
    name,
    nameToken: head[0] ?? null,
    isUnderHeader: false,
    isStarred: stars > 0 || name.startsWith('*'),
    isSusceptibility: susceptibility !== null,
    hasOtherColumns: false,
    values: [{ text: value.text, token: value, date: null, flag: null }],
    unit: inName?.text ?? rest.find((token) => token.kind === 'unit')?.text ?? null,
    range:
      ranges.length > 0
        ? textOfTokens(withPhases(rest, ranges))
        : (rangeOfRest(rest, numbers.slice(limited ? 0 : 1)) ??
          (numbers.length === 0 && !isListed
            ? (words.find((token) => token !== value && isWordResult(token.text))?.text ?? null)
            : null)),
    bound: rest.find((token) => token.kind === 'bound')?.text ?? null,
    bareBound: null,
    flag:
      susceptibility ??
      rest
        .map((token) => (!isListed && isFlagBeside(token, value) ? parseLabFlag(token.text) : null))
        .find((flag) => flag !== null) ??
      null,
    beside: '',
    dateBeside: null,
  };
}

/**
 * Name words up to the value; a number that belongs to a known name is part of it: "CA 19-9 34 U/ml", "Vitamin B12".
 */
function leadingNames(tokens: readonly LabToken[]): LabToken[] {
  const end = tokens.findIndex((token, i) => token.kind !== 'name' || (i > 0 && isWordResult(token.text)));
  const names = tokens.slice(0, end < 0 ? tokens.length : end);
  for (let more = 3; more > 0; more -= 1) {
    const longer = tokens.slice(0, names.length + more);
    const isPrinted = longer.slice(names.length).every(({ text }) => /[\p{L}\d]/u.test(text));
    if (longer.length === names.length + more && isPrinted && isListedTest(textOfTokens(longer))) return longer;
  }
  const next = tokens[names.length];
  return next?.kind === 'unit' &&
    names.length > 0 &&
    (/^[[(]/.test(next.text) || tokens[names.length + 1]?.kind === 'number')
    ? [...names, next]
    : names;
}

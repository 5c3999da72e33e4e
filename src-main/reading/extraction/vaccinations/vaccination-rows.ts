import type { FoundVaccination } from '../extraction.ts';
import { editDistance, fold } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import {
  columnOf,
  isDue,
  isExpiry,
  vaccineCells,
  type VaccineColumn,
  type VaccineColumns,
} from './vaccination-columns.ts';
import {
  DATE,
  DISEASE,
  DOSE,
  DOSE_AROUND,
  doseOf,
  textOfGiven,
  LABELLED_LOT,
  makerIn,
  NAMES,
  nameWithin,
  notGivenAt,
  printedAs,
  productsWithLots,
  vaccineIn,
  WORDS,
} from './vaccine-words.ts';

const LOT = /(?<![\p{L}\d])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{3,13}(?![\p{L}\d])/u;
/**
 * Maximum number of words of a line; longer ones are sentences that mention vaccines but don't record a vaccination.
 */
const MAX_WORDS = 22;

/** Days that rows without a day of their own may have. */
export interface DaysAround {
  /** The day that a sentence, a line of its own or the row above states. */
  introduced: string | null;
  /** The day of a whole table that has no column of days, or of names alone right below it. */
  ofTable: string | null;
}

/** "Measles  12.03.2019  20.10.2020": a name with the dates of its doses. */
export function seriesOf(line: Line, columns: VaccineColumns | null, ctx: RowContext): FoundVaccination[] | null {
  if (line.words.length > MAX_WORDS || notGivenAt(line.text) >= 0) return null;
  const isFree = (segment: Segment): boolean =>
    !['lot', 'manufacturer'].includes(columnOf(segment, columns)?.role ?? '');
  const named = line.segments.find(({ text }) => vaccineIn(text));
  const dates = line.segments.filter(
    (segment) =>
      segment !== named &&
      isFree(segment) &&
      isDateAlone(segment.text) &&
      !isDue(segment, columns) &&
      !isExpiry(segment, columns),
  );
  if (!named || dates.length < 2 || dates.length < line.segments.length - 2) return null;
  return dates.flatMap((segment, index): FoundVaccination[] => {
    const date = ctx.parseDate(segment.text);
    if (!date) return [];
    return [
      {
        ...base(line),
        vaccine_name: nameWithin(named.text),
        manufacturer: null,
        lot_number: null,
        dose_number: index + 1,
        date_administered: date,
        confidence: confidenceOf(line.words) * 0.85,
      },
    ];
  });
}

const isDateAlone = (text: string): boolean => /^\W*\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\W*$/u.test(text);
const base = (line: Line): Pick<FoundVaccination, 'place'> => ({ place: placeOf(line.page, line.words) });

/** The row of a line under headings. */
export function underHeader(
  line: Line,
  columns: VaccineColumns,
  ctx: RowContext,
  days: DaysAround,
): FoundVaccination | null {
  const cells = vaccineCells(line, columns);
  const [ownName = cells.vaccine, ownLot] = vaccineAndLot(line, columns, cells);
  const printed =
    ownName ?? line.segments.find(({ text }) => text !== cells.disease && vaccineIn(text))?.text ?? cells.disease ?? '';
  const bare = withoutMakerAndDose(printed.replace(DATE, ' ').replace(/\s+/g, ' ').trim());
  const name = mended(bare.name, line);
  if (notGivenAt(cells.date ?? '') >= 0 || notGivenAt(name) >= 0 || REFUSED.test(line.text)) return null;
  const elsewhere = line.segments.filter((segment) => !isDue(segment, columns) && !isExpiry(segment, columns));
  const own = ctx.parseDate(cells.date ?? '') ?? ctx.parseDate(elsewhere.map(({ text }) => text).join('  '));
  const isUndated = cells.date === undefined && cells.lot !== undefined && notGivenAt(line.text) < 0;
  const date = own ?? (isUndated && vaccineIn(name) ? (days.ofTable ?? days.introduced) : null);
  if (!/\p{L}{2}/u.test(name) || /:(?:\s|$)/.test(name) || (!date && !cells.lot) || line.words.length > MAX_WORDS)
    return null;
  // "Bassano, 20/03/2025" below the table
  if (line.segments.length === 1 && !vaccineIn(name)) return null;
  return {
    ...base(line),
    vaccine_name: name,
    manufacturer: cells.manufacturer?.trim() ?? bare.maker,
    lot_number: cleanLot(cells.lot) ?? ownLot ?? null,
    dose_number: doseOf(cells.dose) ?? bare.dose,
    date_administered: date,
    confidence: limitConfidence(name === bare.name, confidenceOf(line.words) * (vaccineIn(name) ? 0.98 : 0.88)),
  };
}

/**
 * Finds the vaccine in a row: a disease may be beside it in a column without a heading, and the lot number after it.
 */
function vaccineAndLot(
  line: Line,
  columns: VaccineColumns,
  cells: Partial<Record<VaccineColumn, string>>,
): [name: string | undefined, lot: string | undefined] {
  const roleAt = (segment: Segment): VaccineColumn | undefined => columnOf(segment, columns)?.role;
  const own = line.segments.filter((segment) => roleAt(segment) === 'vaccine'),
    start = own[0]?.bbox[0] ?? 1;
  const vaccineSegments = line.segments.filter(
    (segment) =>
      segment.bbox[0] >= start &&
      !['disease', 'manufacturer', 'lot', 'other'].includes(roleAt(segment) ?? '') &&
      vaccineIn(segment.text),
  );
  const isProduct = ({ text }: Segment): boolean => !DISEASE.test(fold(text));
  // Of two columns of vaccines, one has the brand, which may be unknown.
  const branded = own.length > 1 && own.some((segment) => !isProduct(segment)) ? own.find(isProduct) : undefined;
  const product = vaccineSegments.find(isProduct) ?? branded ?? vaccineSegments[0];
  const text =
    own.length > 1 || (product && !own.includes(product) && DISEASE.test(fold(cells.vaccine ?? '')))
      ? (product?.text ?? cells.vaccine)
      : cells.vaccine;
  const lot =
    cells.lot === undefined ? LABELLED_LOT.exec(own.map((segment) => segment.text).join(' '))?.[1] : undefined;
  return [lot === undefined ? text : text?.replace(LABELLED_LOT, ' ').replace(/[\s,;:(–-]+$/u, ''), lot];
}

/** In any column, such a word says that the vaccination of the row was not given. */
const REFUSED = new RegExp(
  [
    String.raw`(?<!\p{L})(?:report[ée]e?s?|diff[ée]r[ée]e?|ajourn[ée]e?|annul[ée]e?|postponed|deferred|declined|refus(?:ed|[ée]e?)|`,
    String.raw`withheld|not (?:given|administered|done)|verschoben|zurückgestellt|abgelehnt|verweigert|`,
    String.raw`nicht (?:verabreicht|durchgeführt|geimpft|gegeben|erfolgt)|rinviat[oa]|rimandat[oa]|posticipat[oa]|`,
    String.raw`rifiutat[oa]|non (?:faite?|effectuée?|administrée?|somministrat[oa]|eseguit[oa]|effettuat[oa]))(?!\p{L})`,
  ].join(''),
  'iu',
);

const cleanLot = (text: string | undefined): string | null => {
  // "FS26A014 / 2027": the year is that of the expiry.
  const lot =
    text
      ?.replace(YEAR_BEHIND, '')
      .replace(/^[^A-Z0-9]+|[^A-Z0-9-]+$/giu, '')
      .trim() ?? '';
  const words = lot.split(/\s+/);
  // The abbreviation of a neighboring column has no row of digits: "Td-IPV U94183".
  const numbered = words.filter((word) => /\d{3}/.test(word));
  if (lot === '') return null;
  return words.length > 1 && numbered.length === 1 ? (numbered[0] ?? lot) : lot;
};

const YEAR_BEHIND = /\s+\/\s+(?:\d{1,2}[./])?20\d\d$/u;

/** The rows of a line that is not in a table: "Boostrix   03.02.2019   Lot AC37B123". */
export function freeLine(line: Line, ctx: RowContext, { introduced, ofTable }: DaysAround): FoundVaccination[] {
  if (line.words.length > MAX_WORDS || REFUSED.test(line.text)) return [];
  const text = textOfGiven(line.segments.map((segment) => segment.text).join(' '));
  const named = line.segments.find((segment) => vaccineIn(segment.text) && text.includes(segment.text.slice(0, 4)));
  const isOnlyName = line.segments.length === 1 && line.words.length <= MAX_WORDS_OF_NAME;
  const above = isOnlyName ? ofTable : null;
  const date = ctx.parseDate(text) ?? (LABELLED_LOT.test(text) ? introduced : above);
  if (!named || !date || !vaccineIn(text)) return [];
  const isSentence = named.words.length > MIN_WORDS_OF_SENTENCE || named.text.startsWith('(');
  const sentence = isSentence ? productsWithLots(text) : [];
  const products =
    sentence.length > 0 ? sentence : [{ name: nameWithin(named.text), lot: lotBeside(line, named, text) }];
  const maker = makerIn(text);
  return products.map(({ name: printed, lot }) => {
    const name = mended(printed, line);
    return {
      ...base(line),
      vaccine_name: name,
      manufacturer: maker === null ? null : printedAs(text, maker),
      lot_number: lot,
      dose_number: doseOf(text.match(DOSE)?.[0]),
      date_administered: date,
      confidence: limitConfidence(name === printed, confidenceOf(line.words) * 0.85),
    };
  });
}
const MIN_WORDS_OF_SENTENCE = 7;

const lotBeside = (line: Line, named: Segment, text: string): string | null =>
  LABELLED_LOT.exec(text)?.[1] ??
  line.segments
    .filter((segment) => segment !== named)
    .map((segment) => LOT.exec(segment.text)?.[0])
    .find((found) => found !== undefined) ??
  null;

/** "Boostrix Polio" on a line of its own. */
const MAX_WORDS_OF_NAME = 4;

/** "Shingrix (GSK) dose 2" in a cell: the vaccine, who makes it and the number of the dose. */
function withoutMakerAndDose(text: string): { name: string; maker: string | null; dose: number | null } {
  const inBrackets = /\(([^)]*)\)/u.exec(text);
  const note = inBrackets?.[1]?.trim() ?? '';
  const maker = makerIn(note) === null ? null : note;
  const isNote = maker !== null || doseOf(note) !== null;
  const named = isNote
    ? text
        .replace(inBrackets?.[0] ?? '', ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : text;
  const dose = doseOf(named.match(DOSE_AROUND)?.[0] ?? note);
  const bare = named.replace(DOSE_AROUND, ' ').trim();
  return { name: vaccineIn(bare) ? bare : named, maker, dose };
}

/** Words that were read with less confidence may be misspelled. */
const UNSURE = 0.9;
const MIN_LETTERS_TO_MEND = 5,
  MIN_LETTERS_FOR_TWO_ERRORS = 7;

/** A name that is not as printed has so little confidence that the document asks for a look at it. */
const limitConfidence = (isAsPrinted: boolean, confidence: number): number =>
  isAsPrinted ? confidence : Math.min(confidence, MENDED_CONFIDENCE);
const MENDED_CONFIDENCE = 0.4;

/** "Badstrix", read with little confidence, is the only vaccine that is like it: Boostrix. */
function mended(name: string, line: Line): string {
  if (vaccineIn(name) && !/\p{L}{7}/u.test(name)) return name;
  return name
    .split(' ')
    .map((word) => {
      const folded = fold(word);
      const printed = line.words.find(({ text }) => text === word);
      if (folded.length < MIN_LETTERS_TO_MEND || NAMES.has(folded) || !printed || printed.confidence >= UNSURE)
        return word;
      const errors = folded.length < MIN_LETTERS_FOR_TWO_ERRORS ? 1 : 2;
      const like = WORDS.vaccine.filter((one) => {
        const other = fold(one);
        return (
          other.length === folded.length && other[0] === folded[0] && editDistance(other, folded, errors) <= errors
        );
      });
      return like.length === 1 && like[0] ? like[0].replace(/^\p{L}/u, (letter) => letter.toUpperCase()) : word;
    })
    .join(' ');
}

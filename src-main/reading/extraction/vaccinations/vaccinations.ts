import type { FoundVaccination } from '../extraction.ts';
import { editDistance, fold } from '../fold.ts';
import { createPhraseFinder } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { columnAt, findHeaders, type Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import { loadWords } from '../../knowledge/words.ts';

const VACCINE_COLUMNS = ['date', 'vaccine', 'disease', 'manufacturer', 'lot', 'dose', 'other'] as const;
type VaccineColumn = (typeof VACCINE_COLUMNS)[number];

const findHeadings = createPhraseFinder(loadWords('vaccine-columns', VACCINE_COLUMNS));

const WORDS = loadWords('vaccine-names', ['vaccine', 'manufacturer']);
const NAMES = new Set(WORDS.vaccine.map(fold));
const LONG_NAMES = [...NAMES].filter((name) => name.length >= 6);
const MAKERS = WORDS.manufacturer.map(fold).sort((a, b) => b.length - a.length);
const LOT = /(?<![\p{L}\d])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{3,13}(?![\p{L}\d])/u;
const LABELLED_LOT = new RegExp(
  [
    String.raw`(?:lot(?:to)?|batch|charge|ch\.?-?\s?b\.?|chargen?-?n(?:r|ummer)|`,
    String.raw`lot-?n[ro°]?)\s*\.?:?\s*(?:n[ro°]?\.?\s*)?([A-Z0-9][A-Z0-9-]{2,13})`,
  ].join(''),
  'iu',
);
const DOSE = new RegExp(
  [
    String.raw`(?:dose|dosis|dosi|impfung|d)\s*(?:nr\.?|no\.?|n°)?\s*:?\s*(\d)\b|\b(\d)\s?(?:\/\s?\d)?\s*(?:\.|st|`,
    String.raw`nd|rd|th|a|e|ème|re)?\s*(?:dose|dosis|dosi|impfung)\b|^(\d)(?:\s?\/\s?\d)?$`,
  ].join(''),
  'iu',
);
const DATE = /\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b/g;
/**
 * Maximum number of words of a line; longer ones are sentences that mention vaccines but don't record a vaccination.
 */
const MAX_WORDS = 22;

/** Whether words name a vaccine, ignoring OCR errors in long names. */
function vaccineIn(text: string): boolean {
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

/** Returns the vaccinations of all pages: rows of a table, or lines with a vaccine and its date. */
export function readVaccinations(layout: Layout, ctx: RowContext): FoundVaccination[] {
  return layout.pages.flatMap((page) => readPage(page, ctx));
}

function readPage(page: LayoutPage, ctx: RowContext): FoundVaccination[] {
  const headers = new Map(
    findHeaders(page, findHeadings)
      .filter(({ columns }) => columns.some(({ role }) => role === 'vaccine' || role === 'disease'))
      .map((header) => [header.index, header]),
  );
  let columns: Column<VaccineColumn>[] | null = null,
    gap = 0;
  const rows: FoundVaccination[] = [];
  page.lines.forEach((line, index) => {
    const header = headers.get(index);
    if (header) {
      columns = [...header.columns, ...unnamed(header.line, header.columns)];
      gap = 0;
      return;
    }
    const row = columns ? underHeader(line, columns, ctx) : freeLine(line, ctx);
    if (row) {
      rows.push(row);
      gap = 0;
      return;
    }
    gap += 1;
    if (gap > 3) columns = null;
  });
  return rows;
}

/** Columns whose heading has no known role; they keep their cells out of the neighboring columns. */
function unnamed(line: Line, columns: readonly Column<VaccineColumn>[]): Column<VaccineColumn>[] {
  return line.segments.flatMap(({ text, bbox: [from, , width] }): Column<VaccineColumn>[] =>
    columns.some((column) => column.from < from + width && column.to > from)
      ? []
      : [{ role: 'other', from, to: from + width, text }],
  );
}

const base = (line: Line): Pick<FoundVaccination, 'place'> => ({ place: placeOf(line.page, line.words) });

function underHeader(line: Line, columns: Column<VaccineColumn>[], ctx: RowContext): FoundVaccination | null {
  const cells: Partial<Record<VaccineColumn, string>> = {};
  for (const segment of line.segments) {
    const column = columnAt(columns, segment.bbox[0], segment.bbox[0] + segment.bbox[2]);
    if (column) cells[column.role] = cells[column.role] ? `${cells[column.role]} ${segment.text}` : segment.text;
  }
  const [ownName = cells.vaccine, ownLot] = vaccineAndLot(line, columns, cells);
  const printed =
    ownName ?? line.segments.find(({ text }) => text !== cells.disease && vaccineIn(text))?.text ?? cells.disease ?? '';
  const name = printed.replace(DATE, ' ').replace(/\s+/g, ' ').trim();
  const date = ctx.parseDate(cells.date ?? '') ?? ctx.parseDate(line.text);
  if (!/\p{L}{2}/u.test(name) || /:(?:\s|$)/.test(name) || (!date && !cells.lot) || line.words.length > MAX_WORDS)
    return null;
  return {
    ...base(line),
    vaccine_name: name,
    manufacturer: cells.manufacturer?.trim() ?? null,
    lot_number: cleanLot(cells.lot) ?? ownLot ?? null,
    dose_number: doseOf(cells.dose),
    date_administered: date,
    confidence: confidenceOf(line.words) * (vaccineIn(name) ? 0.98 : 0.88),
  };
}

/** What a vaccine protects against, as printed beside the product (folded). */
const DISEASE = new RegExp(
  [
    String.raw`^(?:tdap|dtap|dtpa|td|dt|tetan|wundst|diphth|difter|pertus|keuch|coquel|polio|ipv|hepatit|epatit|`,
    String.raw`hav|hbv|mmrv?|measl|masern|rougeol|morbill|mumps|oreill|parotit|rubell|roteln|rubeol|rosol|ror|mpr|`,
    String.raw`varicell|varizell|windpock|vzv|zoster|hzv|gurtelr|influenz|grippe|flu|covid|sars|pneumo|pcv|ppv|`,
    String.raw`mening|men[abcwy]+|hpv|papill|fsme|tbe|tick|enceph|yellow|gelbf|fievre|febbre|rabies|tollw|rage|`,
    String.raw`rabb|typho|typhus|tifo|choler|japan|bcg|tuberc|rotavir|haemoph|hib|rsv|dengue|mpox)(?![a-z]*(?:pro|`,
    String.raw`immun|vax|ix)\b)`,
  ].join(''),
);

/**
 * Finds the vaccine in a row: a disease may be beside it in a column without a heading, and the lot number after it.
 */
function vaccineAndLot(
  line: Line,
  columns: Column<VaccineColumn>[],
  cells: Partial<Record<VaccineColumn, string>>,
): [name: string | undefined, lot: string | undefined] {
  const roleAt = ({ bbox: [from, , width] }: Line['segments'][number]): VaccineColumn | undefined =>
    columnAt(columns, from, from + width)?.role;
  const own = line.segments.filter((segment) => roleAt(segment) === 'vaccine'),
    start = own[0]?.bbox[0] ?? 1;
  const vaccineSegments = line.segments.filter(
    (segment) =>
      segment.bbox[0] >= start &&
      !['disease', 'manufacturer', 'lot', 'other'].includes(roleAt(segment) ?? '') &&
      vaccineIn(segment.text),
  );
  const product = vaccineSegments.find(({ text }) => !DISEASE.test(fold(text))) ?? vaccineSegments[0];
  const text =
    own.length > 1 || (product && !own.includes(product) && DISEASE.test(fold(cells.vaccine ?? '')))
      ? (product?.text ?? cells.vaccine)
      : cells.vaccine;
  const lot =
    cells.lot === undefined ? LABELLED_LOT.exec(own.map((segment) => segment.text).join(' '))?.[1] : undefined;
  return [lot === undefined ? text : text?.replace(LABELLED_LOT, ' ').replace(/[\s,;:(–-]+$/u, ''), lot];
}

const cleanLot = (text: string | undefined): string | null => {
  const lot = text?.replace(/^[^A-Z0-9]+|[^A-Z0-9-]+$/giu, '').trim() ?? '';
  const words = lot.split(/\s+/);
  // The abbreviation of a neighboring column has no row of digits: "Td-IPV U94183".
  const numbered = words.filter((word) => /\d{3}/.test(word));
  if (lot === '') return null;
  return words.length > 1 && numbered.length === 1 ? (numbered[0] ?? lot) : lot;
};
function doseOf(text: string | undefined): number | null {
  const match = text === undefined ? null : DOSE.exec(text.trim());
  const digit = match?.[1] ?? match?.[2] ?? match?.[3];
  return digit ? Number(digit) : null;
}

function freeLine(line: Line, ctx: RowContext): FoundVaccination | null {
  if (line.words.length > MAX_WORDS) return null;
  const named = line.segments.find((segment) => vaccineIn(segment.text));
  const date = ctx.parseDate(line.text);
  if (!named || !date) return null;
  const text = line.segments.map((segment) => segment.text).join(' ');
  const lot =
    LABELLED_LOT.exec(text)?.[1] ??
    line.segments
      .filter((segment) => segment !== named)
      .map((segment) => LOT.exec(segment.text)?.[0])
      .find((found) => found !== undefined) ??
    null;
  const folded = ` ${fold(text)} `;
  const maker = MAKERS.find((name) => folded.includes(` ${name} `)) ?? null;
  return {
    ...base(line),
    vaccine_name: nameWithin(named.text),
    manufacturer: maker === null ? null : printedAs(text, maker),
    lot_number: lot,
    dose_number: doseOf(text.match(DOSE)?.[0]),
    date_administered: date,
    confidence: confidenceOf(line.words) * 0.85,
  };
}

/** The vaccine without the date, lot and manufacturer in the same segment. */
function nameWithin(text: string): string {
  const bare = text
    .replace(DATE, ' ')
    .replace(LABELLED_LOT, ' ')
    .replace(/\([^)]*\)/g, ' ')
    .split(/\s*[,;:|–]\s+|\s+-\s+/)
    .map((part) => part.trim());
  return (bare.find((part) => vaccineIn(part)) ?? text).replace(/\s+/g, ' ').trim();
}

function printedAs(text: string, folded: string): string {
  const words = text.split(/\s+/);
  const count = folded.split(' ').length;
  for (let from = 0; from + count <= words.length; from += 1) {
    const part = words.slice(from, from + count).join(' ');
    if (fold(part) === folded) return part.replace(/[,;()]/g, '');
  }
  return folded;
}

import type { FoundVaccination } from '../extraction.ts';
import { editDistance, fold, foldWords } from '../fold.ts';
import { createPhraseFinder } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { columnAt, findHeaders, type Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import { loadWords } from '../../knowledge/words.ts';

const VACCINE_COLUMNS = ['date', 'vaccine', 'disease', 'manufacturer', 'lot', 'dose', 'other'] as const;
type VaccineColumn = (typeof VACCINE_COLUMNS)[number];

const findHeadings = createPhraseFinder(loadWords('vaccine-columns', VACCINE_COLUMNS));

const WORDS = loadWords('vaccine-names', ['vaccine', 'manufacturer']);
const NAMES = new Set(WORDS.vaccine.map(fold));
const LONG_NAMES = [...NAMES].filter((name) => name.length >= 6);
const NOT_GIVEN = loadWords('vaccine-cues', ['not_given']).not_given.map(foldWords);
const MAKERS = WORDS.manufacturer.map(fold).sort((a, b) => b.length - a.length);
const LOT = /(?<![\p{L}\d])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{3,13}(?![\p{L}\d])/u;
const LABELLED_LOT = new RegExp(
  [
    String.raw`(?:lot(?:to|e)?|batch|charge|ch\.?\s?-?\s?b\.?|chargen?-?(?:n(?:r|ummer)|bezeichnung)|`,
    String.raw`lot-?n[ro°]?)\s*\.?:?\s*(?:(?:n[ro°]?\.?|number|no\.?|#)\s*:?\s*)?(?:[a-z]{1,4}\s)?`,
    String.raw`((?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{2,13})`,
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
    // "Enzo Marchetti, born on 30/01/1998" was not vaccinated then.
    const found = BIRTH.test(line.text)
      ? []
      : (seriesOf(line, columns, ctx) ?? oneOf(columns ? underHeader(line, columns, ctx) : freeLine(line, ctx)));
    if (found.length > 0) {
      rows.push(...found);
      gap = 0;
      return;
    }
    gap += 1;
    const last = rows.at(-1);
    if (last && gap <= MAX_LINES_BELOW) complete(last, line);
    if (gap > MAX_LINES_BELOW) columns = null;
  });
  return rows;
}

const BIRTH =
  /(?<!\p{L})(?:n[ée]+(?:\(e\))? le|nat[oa] (?:il|a)|geb(?:oren)?\.?|born|d\.?o\.?b|date of birth)(?!\p{L})/iu;
const oneOf = (row: FoundVaccination | null): FoundVaccination[] => (row ? [row] : []);
/** Lines below a vaccination that may state its lot and its number. */
const MAX_LINES_BELOW = 3;

/** "Ch.-B.: FW7714" or "2. Impfung" under a vaccination. */
function complete(row: FoundVaccination, line: Line): void {
  const { text } = line;
  row.lot_number ??= LABELLED_LOT.exec(text)?.[1] ?? null;
  if (line.words.length <= MAX_DOSE_WORDS) row.dose_number ??= doseOf(DOSE.exec(text)?.[0]);
  const maker = makerIn(text);
  if (maker !== null) row.manufacturer ??= printedAs(text, maker);
}
const MAX_DOSE_WORDS = 4;

/** Where a text begins to say what was not given: "next due 2031"; -1 if it does not. */
function notGivenAt(text: string): number {
  const words = text.split(/\s+/);
  const at = words.findIndex((_, from) =>
    NOT_GIVEN.some((cue) => foldWords(words.slice(from).join(' ')).slice(0, cue.length).join(' ') === cue.join(' ')),
  );
  return at < 0 ? -1 : words.slice(0, at).join(' ').length;
}

/** The part of a text that is about a vaccination that was given. */
const given = (text: string): string => {
  const at = notGivenAt(text);
  return at < 0 ? text : text.slice(0, at);
};

/** "Measles  12.03.2019  20.10.2020": a name with the dates of its doses. */
function seriesOf(
  line: Line,
  columns: readonly Column<VaccineColumn>[] | null,
  ctx: RowContext,
): FoundVaccination[] | null {
  if (line.words.length > MAX_WORDS || notGivenAt(line.text) >= 0) return null;
  const roleAt = ({ bbox: [from, , width] }: Segment): VaccineColumn | undefined =>
    columnAt(columns ?? [], from, from + width)?.role;
  const isFree = (segment: Segment): boolean => !['lot', 'manufacturer'].includes(roleAt(segment) ?? '');
  const named = line.segments.find(({ text }) => vaccineIn(text));
  const dates = line.segments.filter(
    (segment) => segment !== named && isFree(segment) && isDateAlone(segment.text) && !isDue(segment, columns),
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
/** Under "Next due". */
const isDue = ({ bbox: [from, , width] }: Segment, columns: readonly Column<VaccineColumn>[] | null): boolean => {
  const column = columnAt(columns ?? [], from, from + width);
  return column !== undefined && notGivenAt(column.text) >= 0;
};

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
  const bare = withoutMakerAndDose(printed.replace(DATE, ' ').replace(/\s+/g, ' ').trim());
  const name = mended(bare.name, line);
  if (notGivenAt(cells.date ?? '') >= 0 || notGivenAt(name) >= 0) return null;
  const elsewhere = line.segments.filter((segment) => !isDue(segment, columns));
  const date = ctx.parseDate(cells.date ?? '') ?? ctx.parseDate(elsewhere.map(({ text }) => text).join('  '));
  if (!/\p{L}{2}/u.test(name) || /:(?:\s|$)/.test(name) || (!date && !cells.lot) || line.words.length > MAX_WORDS)
    return null;
  return {
    ...base(line),
    vaccine_name: name,
    manufacturer: cells.manufacturer?.trim() ?? bare.maker,
    lot_number: cleanLot(cells.lot) ?? ownLot ?? null,
    dose_number: doseOf(cells.dose) ?? bare.dose,
    date_administered: date,
    confidence: asked(name === bare.name, confidenceOf(line.words) * (vaccineIn(name) ? 0.98 : 0.88)),
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
  const text = given(line.segments.map((segment) => segment.text).join(' '));
  const named = line.segments.find((segment) => vaccineIn(segment.text) && text.includes(segment.text.slice(0, 4)));
  const date = ctx.parseDate(text);
  if (!named || !date) return null;
  const lot =
    LABELLED_LOT.exec(text)?.[1] ??
    line.segments
      .filter((segment) => segment !== named)
      .map((segment) => LOT.exec(segment.text)?.[0])
      .find((found) => found !== undefined) ??
    null;
  const maker = makerIn(text),
    printed = nameWithin(named.text),
    name = mended(printed, line);
  return {
    ...base(line),
    vaccine_name: name,
    manufacturer: maker === null ? null : printedAs(text, maker),
    lot_number: lot,
    dose_number: doseOf(text.match(DOSE)?.[0]),
    date_administered: date,
    confidence: asked(name === printed, confidenceOf(line.words) * 0.85),
  };
}

/** "Shingrix (GSK) dose 2" in a cell: the vaccine, who makes it and the number of the dose. */
function withoutMakerAndDose(text: string): { name: string; maker: string | null; dose: number | null } {
  const inBrackets = /\(([^)]*)\)/u.exec(text);
  const maker = inBrackets?.[1] && makerIn(inBrackets[1]) !== null ? inBrackets[1].trim() : null;
  const named =
    maker === null
      ? text
      : text
          .replace(inBrackets?.[0] ?? '', ' ')
          .replace(/\s+/g, ' ')
          .trim();
  const dose = named.match(DOSE_AROUND)?.[0];
  const bare = named.replace(DOSE_AROUND, ' ').trim();
  return vaccineIn(bare) ? { name: bare, maker, dose: doseOf(dose) } : { name: named, maker, dose: null };
}

/** The vaccine without the date, lot, dose and manufacturer in the same segment. */
function nameWithin(text: string): string {
  const bare = text
    .replace(DATE, ' ')
    .replace(LABELLED_LOT, ' ')
    .replace(/\([^)]*\)/g, ' ')
    .split(/\s*[,;:|]\s+|\s*[–—]\s*|\s+-\s+/)
    .map((part) => part.replace(DOSE_AROUND, ' ').replace(AROUND_NAME, ' ').trim());
  const name = (bare.find((part) => vaccineIn(part)) ?? text).replace(/\s+/g, ' ').trim();
  return name.split(' ').length > MAX_NAME_WORDS ? shortestIn(name) : name;
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
const DOSE_AROUND = new RegExp(
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
    String.raw`(?:\s(?:on|am|vom|le|du|il|del|given|given on|administered|administered on|verabreicht|verabreicht am|`,
    String.raw`geimpft am|injection|injection du|administré le|fait le|eseguito il|somministrato il|date|datum|`,
    String.raw`data))+\s*$|^\s*(?:given|vaccin|vaccine|impfung(?: mit)?|vaccino|vaccination(?: with)?)\s*:\s*`,
  ].join(''),
  'giu',
);

const makerIn = (text: string): string | null => {
  const folded = ` ${fold(text)} `;
  return MAKERS.find((name) => folded.includes(` ${name} `)) ?? null;
};

/** Words that were read with less confidence may be misspelled. */
const UNSURE = 0.9;
const MIN_LETTERS_TO_MEND = 7;

/** A name that is not as printed has so little confidence that the document asks for a look at it. */
const asked = (isAsPrinted: boolean, confidence: number): number =>
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
      const like = WORDS.vaccine.filter((one) => {
        const other = fold(one);
        return other.length === folded.length && other[0] === folded[0] && editDistance(other, folded, 2) <= 2;
      });
      return like.length === 1 && like[0] ? like[0].replace(/^\p{L}/u, (letter) => letter.toUpperCase()) : word;
    })
    .join(' ');
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

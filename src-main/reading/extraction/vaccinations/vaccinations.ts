import type { FoundVaccination } from '../extraction.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { readCards } from './vaccination-cards.ts';
import { findVaccineHeaders, type VaccineColumns } from './vaccination-columns.ts';
import { dateGridAt, gridRows, type DateGrid } from './vaccination-grid.ts';
import { type DaysAround, freeLine, seriesOf, underHeader } from './vaccination-rows.ts';
import { DOSE, doseOf, LABELLED_LOT, makerIn, notGivenAt, printedAs, vaccineIn } from './vaccine-words.ts';

/** Returns the vaccinations of all pages: rows of a table, or lines with a vaccine and its date. */
export function readVaccinations(layout: Layout, ctx: RowContext): FoundVaccination[] {
  return layout.pages.flatMap((page) => {
    const rows = readPage(page, ctx);
    return page.source === 'ocr' ? rows.map((row) => ({ ...row, lot_number: withDigits(row.lot_number) })) : rows;
  });
}

/** Makers leave I and O out beside the digits of a lot, because they look like these: "A2ICD119B" is "A21CD119B". */
const withDigits = (lot: string | null): string | null =>
  lot?.replace(/(?<=\d)[IO]+|[IO]+(?=\d)/g, (letters) => letters.replaceAll('I', '1').replaceAll('O', '0')) ?? null;

/** State while reading a page. */
interface PageState {
  columns: VaccineColumns | null;
  grid: DateGrid | null;
  /** The day that the text above gives to what follows. */
  introduced: string | null;
  /** Whether it is a line of its own right above. */
  isHeadedByDay: boolean;
  /** Whether the lines are under "Upcoming" or "Empfohlene Impfungen". */
  isNotGiven: boolean;
  /** Lines since the last row. */
  gap: number;
  rows: FoundVaccination[];
}

/** Lines below a vaccination that may state its lot and its number. */
const MAX_LINES_BELOW = 3;

function readPage(page: LayoutPage, ctx: RowContext): FoundVaccination[] {
  const headers = findVaccineHeaders(page);
  const state: PageState = {
    columns: null,
    grid: null,
    introduced: null,
    isHeadedByDay: false,
    isNotGiven: false,
    gap: 0,
    rows: [],
  };
  let behindCards = 0;
  page.lines.forEach((line, index) => {
    const header = headers.get(index);
    const isFree = !header && !state.columns && !state.isHeadedByDay;
    const cards = isFree && index >= behindCards ? readCards(page.lines.slice(index), ctx) : null;
    if (cards) {
      state.rows.push(...cards.rows);
      behindCards = index + cards.count;
    }
    if (index < behindCards) return;
    const grid = dateGridAt(line, ctx);
    if (header || grid) Object.assign(state, { columns: header?.columns ?? null, grid, gap: 0, isNotGiven: false });
    else readLine(line, page.lines[index - 1], page, state, ctx);
  });
  return state.rows;
}

function readLine(line: Line, above: Line | undefined, page: LayoutPage, state: PageState, ctx: RowContext): void {
  state.isNotGiven = isNotGivenList(line, state.isNotGiven, ctx);
  const found = state.isNotGiven ? [] : rowsOf(line, page, state, ctx);
  const own = introducedBy(line, above, ctx);
  state.introduced = own ?? state.introduced;
  state.isHeadedByDay = own === null ? state.isHeadedByDay && found.length > 0 : isDay(line, ctx);
  if (found.length > 0) {
    state.rows.push(...found);
    state.gap = 0;
    return;
  }
  state.gap += 1;
  const last = state.rows.at(-1);
  if (last && state.gap <= MAX_LINES_BELOW && !state.isNotGiven) complete(last, line);
  if (state.gap > MAX_LINES_BELOW) Object.assign(state, { columns: null, grid: null });
}

function rowsOf(line: Line, page: LayoutPage, state: PageState, ctx: RowContext): FoundVaccination[] {
  // "Enzo Marchetti, born on 30/01/1998" was not vaccinated then.
  if (BIRTH.test(line.text)) return [];
  const { columns, grid, rows } = state;
  if (grid) return gridRows(line, grid);
  const series = seriesOf(line, columns, ctx);
  if (series) return series;
  const hasDays = columns?.some(({ role }) => role === 'date') ?? false;
  // An empty cell of a printed table belongs to the day above it; OCR loses days.
  const above = hasDays && state.gap === 0 && page.source !== 'ocr' ? (rows.at(-1)?.date_administered ?? null) : null;
  const days: DaysAround = {
    introduced: hasDays ? above : state.introduced,
    ofTable: hasDays ? null : (state.introduced ?? ctx.dates(line.page).event),
  };
  if (!columns) return freeLine(line, ctx, headed(days, state));
  const row = underHeader(line, columns, ctx, days);
  return row ? [row] : [];
}

/** A name alone is a row only right below its day. */
const headed = (days: DaysAround, { isHeadedByDay }: PageState): DaysAround => ({
  ...days,
  ofTable: isHeadedByDay ? days.introduced : null,
});

const BIRTH =
  /(?<!\p{L})(?:n[ée]+(?:\(e\))? le|nat[oa] (?:il|a)|geb(?:oren)?\.?|born|d\.?o\.?b|date of birth)(?!\p{L})/iu;
const BIRTHDAY = new RegExp(`${BIRTH.source}\\D{0,6}\\S+`, 'giu');

/** "… a reçu ce jour, le 21/10/2025", "erhielt am / 14.10.2025 folgende Impfungen", "Impfungen vom 3. Mai 2024". */
const GIVEN_ON = new RegExp(
  [
    String.raw`(?<!\p{L})(?:reçu|received|erhielt|erhalten|geimpft|ricevuto|vaccin(?:ated|ée?s?|at[oaie])|administered|`,
    String.raw`verabreicht|somministrat[oaie]|immuni[sz](?:ed|ations?)|impfungen|vaccinations|vaccinazioni)(?!\p{L})(.*)$`,
  ].join(''),
  'isu',
);
/** "Heute, am 14.10.2025, wurde …" */
const WAS =
  /(?<!\p{L})(?:wurden?|habe ich|haben wir|was|were|has been|a été|ont été|avons|è stat[oa]|abbiamo)(?!\p{L})/iu;
const LABEL_OF_DAY = /^(?:(?:impf)?datum|date|data|visit|given|am|vom|le|du|il|del|on)[:\s]*/iu;
const MAX_WORDS_OF_DAY = 4;
/** "Date of visit: October 9, 2025" */
const MAX_WORDS_OF_FIELD = 6;
/** "4 month visit   Date: 20/02/2025": a field of the visit; a birth date has another label. */
const DAY_FIELD =
  /^(?:date|date given|given|visit date|date of visit|(?:impf)?datum|geimpft am|date de la visite|vu le|data)\s?:\s?(?:\d|\p{L}{3,9}\.? \d)/iu;

/** Whether a line is nothing but a day. */
const isDay = ({ text, words }: Line, ctx: RowContext): boolean =>
  words.length <= MAX_WORDS_OF_DAY &&
  /^[\d(]|^\p{L}{3,9}\.? \d/u.test(text.replace(LABEL_OF_DAY, '')) &&
  ctx.parseDate(text) !== null;

/** The day that a line gives to the vaccines below it, alone or at the end of a sentence that began above. */
function introducedBy(line: Line, above: Line | undefined, ctx: RowContext): string | null {
  if (notGivenAt(line.text) >= 0) return null;
  if (isDay(line, ctx)) return ctx.parseDate(line.text);
  const labelled = line.segments.find(({ text, words }) => words.length <= MAX_WORDS_OF_FIELD && DAY_FIELD.test(text));
  if (labelled) return ctx.parseDate(labelled.text);
  const text = (above && !/[.:]$/.test(above.text) ? `${above.text} ${line.text}` : line.text).replace(BIRTHDAY, ' ');
  return ctx.parseDate(GIVEN_ON.exec(text)?.[1] ?? (WAS.test(text) ? text : ''));
}

const MAX_WORDS_OF_HEADING = 5;
const OF_VACCINES = /impfung|vaccin|immuni[sz]ation/iu;
/** Whether a line is in a list of vaccinations that were not given: below "Upcoming", down to the next heading. */
function isNotGivenList(line: Line, before: boolean, ctx: RowContext): boolean {
  const { text, words } = line;
  const isHeading = words.length <= MAX_WORDS_OF_HEADING && !/\d/.test(text);
  const isOfVaccines = text.trimEnd().endsWith(':') || OF_VACCINES.test(text);
  if (isHeading && notGivenAt(text) >= 0 && isOfVaccines && !vaccineIn(text)) return true;
  return before && (vaccineIn(text) || ctx.parseDate(text) !== null);
}

/** "Ch.-B.: FW7714" or "2. Impfung" under a vaccination. */
function complete(row: FoundVaccination, line: Line): void {
  const { text } = line;
  row.lot_number ??= LABELLED_LOT.exec(text)?.[1] ?? lotAlone(row, line);
  if (line.words.length <= MAX_DOSE_WORDS) row.dose_number ??= doseOf(DOSE.exec(text)?.[0]);
  const maker = makerIn(text);
  if (maker !== null) row.manufacturer ??= printedAs(text, maker);
}
const MAX_DOSE_WORDS = 4;

/** A booklet prints the lot below the name, without a label: "N2E441V", "VNR2F18". */
const LOT_ALONE = /^(?=(?:.*\d){2})(?=.*[A-Z])[A-Z0-9][A-Z0-9-]{4,11}$/u;

/** A lot alone in its cell, in a line without a vaccine below the row. */
function lotAlone({ place }: FoundVaccination, { segments, text }: Line): string | null {
  if (place === null || vaccineIn(text) || segments.length > MAX_CELLS_BESIDE_LOT) return null;
  const [left, , width] = place.bbox;
  const isUnderRow = ({ bbox: [x] }: Line['segments'][number]): boolean => x > left - 0.02 && x < left + width;
  return segments.find((one) => LOT_ALONE.test(one.text) && isUnderRow(one))?.text ?? null;
}
/** Words of a stamp may be beside it. */
const MAX_CELLS_BESIDE_LOT = 2;

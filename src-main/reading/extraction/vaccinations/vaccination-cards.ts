import type { FoundVaccination } from '../extraction.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { DOSE, doseOf, LABELLED_LOT, makerIn, nameWithin, notGivenAt, printedAs, vaccineIn } from './vaccine-words.ts';

/** Lines of a card below its name: date, lot, manufacturer, place, and who gave it. */
const MAX_LINES_BELOW = 5;
/** Segments of a card begin at the same place, in fractions of the page width. */
const SAME_COLUMN = 0.02;
const MAX_NAME_WORDS = 6;
const CERTAINTY = 0.85;

export interface VaccinationCards {
  rows: FoundVaccination[];
  /** Number of lines that belong to the cards. */
  count: number;
}

const isName = ({ text, words }: Segment): boolean =>
  words.length <= MAX_NAME_WORDS && vaccineIn(text) && notGivenAt(text) < 0 && !/[.:,;]$/u.test(text.trim());

/** "dose 1" at the right end of the line with the name of the only card. */
const isDose = ({ text, words }: Segment): boolean => words.length <= 2 && text.match(DOSE)?.[0] === text;

/**
 * Reads cards whose names are beside each other on the first of the lines, each with its date and lot below:
 * "Repevax   Typhim Vi / given on 17.01.2022   given on 02.03.2022". Null if the line does not begin such cards.
 */
export function readCards(lines: readonly Line[], ctx: RowContext): VaccinationCards | null {
  const [top, ...below] = lines;
  const [dose] = top?.segments.filter(isDose) ?? [];
  const first = top && dose ? partOf(top, top.segments.slice(0, -1)) : top;
  if (!first || (dose && first.segments.length > 1) || first.segments.length === 0) return null;
  if (!first.segments.every(isName) || ctx.parseDate(first.text)) return null;
  const cards = first.segments.map((name) => cardOf(name, first, below.slice(0, MAX_LINES_BELOW), ctx, dose));
  const rows = cards.flatMap(({ row }) => row ?? []);
  return rows.length === 0 ? null : { rows, count: 1 + Math.max(...cards.map((card) => card.count)) };
}

function cardOf(
  name: Segment,
  line: Line,
  below: readonly Line[],
  ctx: RowContext,
  dose: Segment | undefined,
): { row: FoundVaccination | null; count: number } {
  const parts: Segment[] = [];
  let lines = 0;
  for (const { segments } of below) {
    const own = segments.find(({ bbox }) => Math.abs(bbox[0] - name.bbox[0]) < SAME_COLUMN);
    // A line with its own vaccine is a row below a heading, "Polio" above "15.01.2020   Boostrix Polio"; below names
    // beside each other, the first one may say against what each protects.
    const isDisease = lines === 0 && line.segments.length > 1 && segments.length === line.segments.length;
    if (
      !own ||
      (vaccineIn(own.text) && !isDisease) ||
      (line.segments.length === 1 && segments.some(({ text }) => vaccineIn(text)))
    )
      break;
    lines += 1;
    // What is beside a field of the only card belongs to it too: "Date given: …   Lot: …".
    parts.push(...(line.segments.length === 1 ? segments.filter(({ bbox }) => bbox[0] >= own.bbox[0]) : [own]));
  }
  const dated = parts.find(({ text }) => notGivenAt(text) < 0 && ctx.parseDate(text) !== null);
  const words = [...name.words, ...parts.flatMap((part) => part.words)];
  if (!dated) return { row: null, count: 0 };
  const text = parts.map((part) => part.text).join('\n');
  const maker = makerIn(text);
  return {
    count: lines,
    row: {
      place: placeOf(line.page, words),
      vaccine_name: nameWithin(name.text),
      manufacturer: maker === null ? null : printedAs(text, maker),
      lot_number: LABELLED_LOT.exec(text)?.[1] ?? null,
      dose_number: doseOf((dose ?? name).text.match(DOSE)?.[0]) ?? doseOf(text.match(DOSE)?.[0]),
      date_administered: ctx.parseDate(dated.text),
      confidence: confidenceOf(words) * CERTAINTY,
    },
  };
}

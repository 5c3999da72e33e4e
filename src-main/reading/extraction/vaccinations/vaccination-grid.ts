import type { FoundVaccination } from '../extraction.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { nameWithin, notGivenAt, vaccineIn } from './vaccine-words.ts';

/** Days above columns of marks: "Vaccine   12/03/2021   14/05/2021". */
export interface DateGrid {
  days: { date: string; from: number; to: number }[];
}

const DAY_ALONE = /^\W*\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\W*$/u;
const MIN_DAYS = 2;
/** A cross, a check mark, or the lot of what was given. */
const MARK = /^(?:[xX✓✔☑☒●•+]|(?=\S*\d)[A-Z0-9-]{4,14})$/u;
const CERTAINTY = 0.85;

/** The days that a line puts above columns; null if it is a row of its own, or has fewer than two days. */
export function dateGridAt({ segments, text }: Line, ctx: RowContext): DateGrid | null {
  const [first, ...others] = segments;
  if (!first || vaccineIn(text) || others.length < MIN_DAYS || !others.every((one) => DAY_ALONE.test(one.text)))
    return null;
  const days = others.flatMap(({ text: day, bbox: [from, , width] }) => {
    const date = ctx.parseDate(day);
    return date === null ? [] : [{ date, from, to: from + width }];
  });
  return days.length < MIN_DAYS ? null : { days };
}

/** The vaccinations of a row of marks. */
export function gridRows(line: Line, { days }: DateGrid): FoundVaccination[] {
  const [name, ...cells] = line.segments;
  if (!name || !vaccineIn(name.text) || notGivenAt(name.text) >= 0) return [];
  const isUnder = ({ bbox: [from, , width] }: Segment, day: DateGrid['days'][number]): boolean =>
    from < day.to && from + width > day.from;
  return days.flatMap((day): FoundVaccination[] => {
    const cell = cells.find((one) => isUnder(one, day));
    if (!cell || !MARK.test(cell.text)) return [];
    return [
      {
        place: placeOf(line.page, line.words),
        vaccine_name: nameWithin(name.text),
        manufacturer: null,
        lot_number: cell.text.length > 1 ? cell.text : null,
        dose_number: null,
        date_administered: day.date,
        confidence: confidenceOf(line.words) * CERTAINTY,
      },
    ];
  });
}

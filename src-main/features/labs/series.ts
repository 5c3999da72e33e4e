import type { LabApart, LabPoint, LabSeries } from '../../../src-shared/contract/labs.ts';
import { unitText } from '../../../src-shared/medical/ucum-code.ts';
import { mergeDuplicateResults, type Counted } from './duplicate-results.ts';
import { byDate, comparatorOf, flagOf, type ResultRow } from './result-row.ts';
import { mergeDualUnitResults } from './dual-unit-results.ts';
import type { Conversion, ConvertUnits, Substance } from './unit-conversion.ts';

export interface SeriesOptions {
  /** Unit that was asked for; null leaves the choice to the results. */
  unit: string | null;
  /** Unit of the canonical entry, as a UCUM code or as people write it. */
  preferred: string | null;
  substance: Substance | null;
  convert: ConvertUnits;
}

export type Series = Pick<LabSeries, 'unit' | 'units' | 'conversions' | 'points' | 'apart'>;
type Numeric = ResultRow & { value: number };

const isNumeric = (row: ResultRow): row is Numeric => row.value !== null;
/** Six digits are more than any laboratory measures; the seventh is of the conversion. */
const DIGITS = 6;

/**
 * One test's results as one series in one unit: copies counted once, what does not convert put apart with the reason.
 */
export function seriesOf(rows: readonly ResultRow[], options: SeriesOptions): Series {
  const counted = mergeDuplicateResults([...rows].sort(byDate));
  const numeric = counted.map(({ row }) => row).filter(isNumeric);
  const unit = options.unit ?? unitFor(numeric, options);
  const conversions = new Map<string, LabSeries['conversions'][number]>();
  const points: LabPoint[] = [],
    apart: LabApart[] = [];
  for (const one of counted) {
    const reason = placeOf(one.row, unit, options);
    if (typeof reason === 'string') apart.push(apartOf(one, reason));
    else {
      points.push(pointOf(one, reason));
      if (isChange(reason)) noteConversion(conversions, one.row.unit ?? '', unit ?? '', reason);
    }
  }
  return {
    unit,
    units: unitsOf(numeric, unit, options),
    conversions: [...conversions.values()],
    points: mergeDualUnitResults(points, unit),
    apart,
  };
}

/** The unit in which most results can be shown; of equals the one that was printed last. */
function unitFor(
  rows: readonly Numeric[],
  { preferred, substance, convert }: Omit<SeriesOptions, 'unit'>,
): string | null {
  const printed = [...new Set(rows.toReversed().map((row) => row.unit))];
  const candidates =
    preferred === null || printed.length < 2 ? printed : [...printed, preferredText(preferred, printed, convert)];
  const counts = Map.groupBy(rows, (row) => row.unit);
  let best: { unit: string | null; fits: number } = { unit: printed[0] ?? null, fits: -1 };
  for (const unit of candidates) {
    const fits = [...counts].reduce(
      (sum, [from, own]) => sum + (typeof convert(from, unit, substance) === 'string' ? 0 : own.length),
      0,
    );
    if (fits > best.fits) best = { unit, fits };
  }
  return best.unit;
}

/** The preferred unit as it was printed on some report, else as people write its code. */
function preferredText(preferred: string, printed: readonly (string | null)[], convert: ConvertUnits): string {
  const alike = printed.find((unit): unit is string => {
    const same = unit === null ? 'no_unit' : convert(unit, preferred, null);
    return typeof same !== 'string' && !isChange(same);
  });
  return alike ?? unitText(preferred);
}

const isChange = ({ factor, offset }: Conversion): boolean => factor !== 1 || offset !== 0;

/** How the row enters the series, or why it does not. */
function placeOf(
  row: ResultRow,
  unit: string | null,
  { substance, convert }: SeriesOptions,
): Conversion | LabApart['reason'] {
  if (row.value === null) return 'not_a_number';
  if (row.date === null) return 'no_date';
  return convert(row.unit, unit, substance);
}

function converted(value: number | null, { factor, offset }: Conversion): number | null {
  if (value === null || !isChange({ factor, offset, by: 'units' })) return value;
  return Number((value * factor + offset).toPrecision(DIGITS));
}

function pointOf({ row, copies }: Counted, conversion: Conversion): LabPoint {
  return {
    ...placeFields(row),
    date: row.date as string,
    value: converted(row.value, conversion) as number,
    comparator: comparatorOf(row.value_text),
    reference_range_low: converted(row.reference_range_low, conversion),
    reference_range_high: converted(row.reference_range_high, conversion),
    flag: flagOf(row),
    converted: isChange(conversion),
    original: {
      value_text: row.value_text,
      unit: row.unit,
      reference_range_low: row.reference_range_low,
      reference_range_high: row.reference_range_high,
    },
    also_printed: [],
    also_in: copies.map(twinOf),
  };
}

const apartOf = ({ row, copies }: Counted, reason: LabApart['reason']): LabApart => ({
  ...placeFields(row),
  date: row.date,
  value: row.value,
  value_text: row.value_text,
  unit: row.unit,
  flag: flagOf(row),
  reason,
  also_in: copies.map(twinOf),
});

const placeFields = ({ id, document_id, laboratory, page }: ResultRow) => ({ id, document_id, laboratory, page });
const twinOf = ({ id, document_id, document_filename }: ResultRow) => ({ id, document_id, document_filename });

function noteConversion(
  conversions: Map<string, LabSeries['conversions'][number]>,
  from: string,
  to: string,
  { factor, offset, by }: Conversion,
): void {
  const known = conversions.get(from);
  if (known) known.count += 1;
  else
    conversions.set(from, {
      from,
      to,
      factor: Number(factor.toPrecision(DIGITS)),
      offset: Number(offset.toPrecision(DIGITS)),
      by,
      count: 1,
    });
}

/** Units that can be chosen: those that were printed, most frequent first, and the preferred one. */
function unitsOf(
  rows: readonly Numeric[],
  unit: string | null,
  { preferred, substance, convert }: SeriesOptions,
): Series['units'] {
  const printed = [
    ...Map.groupBy(
      rows.filter((row) => row.unit !== null),
      (row) => row.unit as string,
    ),
  ].sort((a, b) => b[1].length - a[1].length);
  const names = printed.map(([name]) => name);
  const also =
    preferred === null || names.length === 0
      ? []
      : [preferredText(preferred, names, convert)].filter((name) => !names.includes(name));
  const converts = (name: string): boolean =>
    rows.some(
      (row) => row.unit !== null && row.unit !== name && typeof convert(row.unit, name, substance) !== 'string',
    ) || name === unit;
  return [
    ...printed.map(([name, own]) => ({ unit: name, count: own.length, converts: converts(name) })),
    ...also.map((name) => ({ unit: name, count: 0, converts: converts(name) })),
  ];
}

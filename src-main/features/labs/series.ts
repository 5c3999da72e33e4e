import type { ExcludedLabResult, LabPoint, LabSeries } from '../../../src-shared/contract/labs.ts';
import { unitText } from '../../../src-shared/medical/ucum-code.ts';
import { mergeDuplicateResults, type Counted } from './duplicate-results.ts';
import { byDate, comparatorOf, flagOf, type ResultRow } from './result-row.ts';
import { mergeDualUnitResults } from './dual-unit-results.ts';
import type { Conversion, ConvertUnits, Substance } from './unit-conversion.ts';

export interface SeriesOptions {
  /** Requested unit; null selects the unit by the results. */
  unit: string | null;
  /** Unit of the canonical entry, as a UCUM code or in its usual spelling. */
  preferred: string | null;
  substance: Substance | null;
  convert: ConvertUnits;
}

export type Series = Pick<LabSeries, 'unit' | 'units' | 'conversions' | 'points' | 'apart'>;
type Numeric = ResultRow & { value: number };

const isNumeric = (row: ResultRow): row is Numeric => row.value !== null;
/** Significant digits of converted values; no laboratory measures more. */
const MAX_DIGITS = 6;

/**
 * Builds one series in one unit from a test's results. Duplicates count once; results that do not convert are listed
 * separately with the reason.
 */
export function seriesOf(rows: readonly ResultRow[], options: SeriesOptions): Series {
  const counted = mergeDuplicateResults([...rows].sort(byDate));
  const numeric = counted.map(({ row }) => row).filter(isNumeric);
  const unit = options.unit ?? unitFor(numeric, options);
  const conversions = new Map<string, LabSeries['conversions'][number]>();
  const points: LabPoint[] = [],
    apart: ExcludedLabResult[] = [];
  for (const one of counted) {
    const outcome = conversionOrReason(one.row, unit, options);
    if (typeof outcome === 'string') apart.push(apartOf(one, outcome));
    else {
      points.push(pointOf(one, outcome));
      if (isChange(outcome)) addConversion(conversions, one.row.unit ?? '', unit ?? '', outcome);
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

/** Selects the unit in which most results can be shown; on a tie, the unit printed last. */
function unitFor(
  rows: readonly Numeric[],
  { preferred, substance, convert }: Omit<SeriesOptions, 'unit'>,
): string | null {
  const printed = [...new Set(rows.toReversed().map((row) => row.unit))];
  const candidates =
    preferred === null || printed.length < 2 ? printed : [...printed, preferredText(preferred, printed, convert)];
  const counts = Map.groupBy(rows, (row) => row.unit);
  let best: { unit: string | null; fits: number } = { unit: null, fits: -1 };
  for (const unit of candidates) {
    const fits = [...counts].reduce(
      (sum, [from, own]) => sum + (typeof convert(from, unit, substance) === 'string' ? 0 : own.length),
      0,
    );
    if (fits > best.fits) best = { unit, fits };
  }
  return best.unit;
}

/** The preferred unit as a report printed it, otherwise in its usual spelling. */
function preferredText(preferred: string, printed: readonly (string | null)[], convert: ConvertUnits): string {
  const equalUnit = printed.find((unit): unit is string => {
    const conversion = convert(unit, preferred, null);
    return typeof conversion !== 'string' && !isChange(conversion);
  });
  return equalUnit ?? unitText(preferred);
}

const isChange = ({ factor, offset }: Conversion): boolean => factor !== 1 || offset !== 0;

/** How to convert the row for the series, or why it can't be included. */
function conversionOrReason(
  row: ResultRow,
  unit: string | null,
  { substance, convert }: SeriesOptions,
): Conversion | ExcludedLabResult['reason'] {
  if (row.value === null) return 'not_a_number';
  if (row.date === null) return 'no_date';
  return convert(row.unit, unit, substance);
}

function convertNumber(value: number | null, conversion: Conversion): number | null {
  if (value === null || !isChange(conversion)) return value;
  return Number((value * conversion.factor + conversion.offset).toPrecision(MAX_DIGITS));
}

function pointOf({ row, copies }: Counted, conversion: Conversion): LabPoint {
  return {
    ...locationFields(row),
    date: row.date as string,
    value: convertNumber(row.value, conversion) as number,
    comparator: comparatorOf(row.value_text),
    reference_range_low: convertNumber(row.reference_range_low, conversion),
    reference_range_high: convertNumber(row.reference_range_high, conversion),
    reference_range_comparator: row.reference_range_comparator,
    flag: flagOf(row),
    doubt: row.doubt,
    converted: isChange(conversion),
    original: {
      value_text: row.value_text,
      unit: row.unit,
      reference_range_low: row.reference_range_low,
      reference_range_high: row.reference_range_high,
    },
    also_printed: [],
    also_in: copies.map(duplicateOf),
  };
}

const apartOf = ({ row, copies }: Counted, reason: ExcludedLabResult['reason']): ExcludedLabResult => ({
  ...locationFields(row),
  date: row.date,
  value: row.value,
  value_text: row.value_text,
  unit: row.unit,
  flag: flagOf(row),
  doubt: row.doubt,
  reason,
  also_in: copies.map(duplicateOf),
});

const locationFields = ({ id, document_id, laboratory, page }: ResultRow) => ({ id, document_id, laboratory, page });
const duplicateOf = ({ id, document_id, document_filename }: ResultRow) => ({ id, document_id, document_filename });

function addConversion(
  conversions: Map<string, LabSeries['conversions'][number]>,
  from: string,
  to: string,
  { factor, offset, by }: Conversion,
): void {
  const existing = conversions.get(from);
  if (existing) existing.count += 1;
  else
    conversions.set(from, {
      from,
      to,
      factor: Number(factor.toPrecision(MAX_DIGITS)),
      offset: Number(offset.toPrecision(MAX_DIGITS)),
      by,
      count: 1,
    });
}

/** Lists the units to offer: printed units, most frequent first, then the preferred unit. */
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
  const unprinted =
    preferred === null || names.length === 0
      ? []
      : [preferredText(preferred, names, convert)].filter((name) => !names.includes(name));
  const converts = (name: string): boolean =>
    rows.some((row) => row.unit !== name && typeof convert(row.unit, name, substance) !== 'string') || name === unit;
  return [
    ...printed.map(([name, own]) => ({ unit: name, count: own.length, converts: converts(name) })),
    ...unprinted.map((name) => ({ unit: name, count: 0, converts: converts(name) })),
  ];
}

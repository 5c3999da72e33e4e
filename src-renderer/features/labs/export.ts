import type { LabSeries } from '../../../src-shared/contract/labs.ts';
import { csvText } from '../../client/csv.ts';

const HEAD = [
  'test',
  'date',
  'comparator',
  'value',
  'unit',
  'range_low',
  'range_high',
  'range_comparator',
  'flag',
  'doubt',
  'laboratory',
  'printed_value',
  'printed_unit',
  'document_id',
  'copies',
  'left_out_because',
];

/** Exports series as CSV with decimal points and ISO dates; results that are not in the chart come last. */
export function csvOf(all: readonly LabSeries[]): string {
  const rows = all.flatMap(({ test, unit, points, apart }) => [
    ...points.map((point) => [
      test.name,
      point.date,
      point.comparator,
      point.value,
      unit,
      point.reference_range_low,
      point.reference_range_high,
      point.reference_range_comparator,
      point.flag,
      point.doubt.join(' '),
      point.laboratory,
      point.original.value_text,
      point.original.unit,
      point.document_id,
      point.also_in.length,
      null,
    ]),
    ...apart.map((row) => [
      test.name,
      row.date,
      null,
      null,
      null,
      null,
      null,
      null,
      row.flag,
      row.doubt.join(' '),
      row.laboratory,
      row.value_text,
      row.unit,
      row.document_id,
      row.also_in.length,
      row.reason,
    ]),
  ]);
  return csvText([HEAD, ...rows]);
}

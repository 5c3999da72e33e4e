import type { LabSeries } from '../../../src-shared/contract/labs.ts';

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

/** Quotes a cell by RFC 4180; texts that a spreadsheet would run as a formula get a leading apostrophe. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

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
  return [HEAD, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

/** A file name such as `Ferritin and Hämoglobin.csv`, without characters that file systems reject. */
export const fileNameOf = (names: readonly string[], extension: 'csv' | 'png'): string =>
  `${
    names
      .join(' + ')
      .replace(/[\\/:*?"<>|\u0000-\u001f]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80) || 'results'
  }.${extension}`;

/** Downloads a file in the browser. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

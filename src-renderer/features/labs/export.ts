import type { LabSeries } from '../../../src-shared/contract/labs.ts';

const HEAD = [
  'test',
  'date',
  'comparator',
  'value',
  'unit',
  'range_low',
  'range_high',
  'flag',
  'laboratory',
  'printed_value',
  'printed_unit',
  'document_id',
  'copies',
  'left_out_because',
];

/** One cell after RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe in front. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Series as a table for other programs: numbers with a point, dates as `YYYY-MM-DD`, results that are not in the chart at the end of each. */
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
      point.flag,
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
      row.flag,
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

/** `Ferritin and Hämoglobin.csv`, without what file systems refuse. */
export const fileNameOf = (names: readonly string[], extension: 'csv' | 'png'): string =>
  `${
    names
      .join(' + ')
      .replace(/[\\/:*?"<>|\u0000-\u001f]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80) || 'results'
  }.${extension}`;

/** Hands a file to the person. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The download has taken its own hold of the data by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

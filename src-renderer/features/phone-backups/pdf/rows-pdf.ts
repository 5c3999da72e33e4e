import type { Block } from '../worker/pdf-export/blocks.ts';
import { spanText, createPdfExport, type PdfDevice, type PdfLabels, type PdfExport } from './pdf-head.ts';

/** A column of a table in a PDF; `share` is its share of the width. */
export interface PdfColumn<T> {
  name: string;
  share: number;
  cell: (row: T) => string | null;
}

/** Rows of one table block. */
const ROWS_PER_BLOCK = 100;
/** Longer lists can only be saved as CSV. */
export const MAX_ROWS = 20_000;

/**
 * Writes a list as a PDF table. `times`: of the rows, in UTC; the last one is the date of the PDF, unless its civil
 * `day` is known.
 */
export function rowsPdf<T>(
  {
    title,
    lines,
    rows,
    columns,
    times,
    day = null,
    what,
  }: {
    title: string;
    lines: readonly string[];
    rows: readonly T[];
    columns: readonly PdfColumn<T>[];
    times: readonly (string | null)[];
    day?: string | null;
    what: string;
  },
  device: PdfDevice,
  labels: PdfLabels,
): PdfExport {
  const sortedTimes = times.filter((time) => time !== null).sort();
  const first = sortedTimes[0];
  const last = sortedTimes.at(-1);
  const span = first === undefined || last === undefined ? '' : spanText(labels.day(first), labels.day(last));
  const sum = columns.reduce((total, { share }) => total + share, 0),
    shares = columns.map(({ share }) => share / sum);
  const blocks: Block[] = [{ kind: 'table', shares, isHead: true, rows: [columns.map(({ name }) => name)] }];
  for (let at = 0; at < rows.length; at += ROWS_PER_BLOCK)
    blocks.push({
      kind: 'table',
      shares,
      rows: rows.slice(at, at + ROWS_PER_BLOCK).map((row) => columns.map(({ cell }) => cell(row) ?? '')),
    });
  return createPdfExport(
    {
      title,
      lines: [
        ...lines,
        [span, labels.t('pdf_export.rows', { count: rows.length, number: labels.formats.count(rows.length) })]
          .filter(Boolean)
          .join(' · '),
      ],
      at: last ?? null,
      day,
      what: [what, span].filter(Boolean).join(', '),
      blocks,
    },
    device,
    labels,
  );
}

import { csvOf, type CsvCell } from './csv.ts';
import { saveBlob } from './download.ts';

/** Saves rows as a CSV file with a heading line. */
export function saveCsv(name: string, head: readonly string[], rows: readonly (readonly CsvCell[])[]): void {
  saveBlob(new Blob([csvOf(head, rows)], { type: 'text/csv' }), name);
}

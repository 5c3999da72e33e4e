import { ucumOf } from '../../../src-shared/medical/ucum-code.ts';
import { unitKey } from '../../../src-shared/medical/unit.ts';
import { comparatorOf, type ResultRow } from './result-row.ts';

/** A result with its duplicates in other documents. */
export interface Counted {
  row: ResultRow;
  copies: ResultRow[];
}

/**
 * Merges duplicate results of one test: a report that was scanned again, sent again by another doctor, or printed as
 * "earlier result" in a later report. The same date, value and unit in different documents is one result; twice in one
 * document is two. Results without a date are never duplicates. The order does not change.
 */
export function mergeDuplicateResults(rows: readonly ResultRow[]): Counted[] {
  const counted = new Map<ResultRow, Counted>();
  for (const group of Map.groupBy(rows, (row) => dayAndValue(row) ?? row).values())
    for (const same of byUnit(group))
      for (const copies of nthOfDocuments(same)) {
        const [first, ...others] = [...copies].sort(byRank);
        if (first) counted.set(first, { row: first, copies: others });
      }
  return rows.flatMap((row) => counted.get(row) ?? []);
}

/** `2025-11-12 <0.3`, `2025-11-12 negative`; null without a date or value. */
function dayAndValue({ date, value, value_text }: ResultRow): string | null {
  if (date === null) return null;
  if (value !== null) return `${date} ${comparatorOf(value_text) ?? ''}${Number(value.toPrecision(12))}`;
  const words = value_text?.trim().toLowerCase();
  return words ? `${date} ${words}` : null;
}

/** Groups rows by unit. If all other rows have the same unit, a row without a readable unit joins them. */
function byUnit(rows: readonly ResultRow[]): (readonly ResultRow[])[] {
  if (rows.length === 1) return [rows];
  const units = Map.groupBy(rows, ({ unit }) => (unit === null ? '' : (ucumOf(unit) ?? unitKey(unit))));
  const withoutUnit = units.get('') ?? [];
  if (withoutUnit.length === 0 || units.size !== 2) return [...units.values()];
  return [[...units.values()].flat()];
}

/**
 * The first row of every document, the second of every document, and so on. Results without a document count as one.
 */
function nthOfDocuments(rows: readonly ResultRow[]): (readonly ResultRow[])[] {
  if (rows.length === 1) return [rows];
  const documents = [...Map.groupBy(rows, (row) => row.document_id).values()];
  return Array.from({ length: Math.max(...documents.map((own) => own.length)) }, (_, position) =>
    documents.flatMap((own) => own[position] ?? []),
  );
}

/**
 * Ranks duplicates: edited before extracted results, sure before doubtful ones, results with a page before those without, results with a printed
 * unit before those without, older before newer.
 */
const byRank = (a: ResultRow, b: ResultRow): number =>
  Number(b.edited) - Number(a.edited) ||
  Number(a.doubt.length > 0) - Number(b.doubt.length > 0) ||
  Number(a.document_id === null) - Number(b.document_id === null) ||
  Number(a.unit === null) - Number(b.unit === null) ||
  a.id - b.id;

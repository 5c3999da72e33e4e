import type { BBox } from '../../../../src-shared/medical/page.ts';
import { foldName } from '../../names/service.ts';

/** Kinds of rows that a person may change, by their table. */
export const EDITABLE_ROWS = ['lab_results', 'encounters', 'medications', 'vaccinations'] as const;
export type EditableKind = (typeof EDITABLE_ROWS)[number];

type Values = Record<string, unknown>;
/** A row as a person left it, or one that he removed; `read_key` null is a row that he added. */
export interface Claim {
  row: Values;
  readKey: string | null;
}

/** Share of the common area above which two boxes are the same line of a page. */
const SAME_PLACE = 0.5;

const NAMED_BY: Record<EditableKind, readonly (readonly string[])[]> = {
  lab_results: [['test_name_original'], ['sample_type'], ['test_date']],
  encounters: [['diagnosis_original']],
  medications: [['brand_name', 'active_ingredient_original']],
  vaccinations: [['vaccine_name'], ['date_administered']],
};

/** What tells rows of one reading apart, but for repetitions: `ferritin|serum|2025-11-12`. */
const baseOf = (kind: EditableKind, row: Values): string =>
  NAMED_BY[kind]
    .map((columns) =>
      foldName(
        String(columns.map((column) => row[column]).find((value) => typeof value === 'string' && value !== '') ?? ''),
      ),
    )
    .join('|');

/** Rows of one reading with the key by which the next reading knows them again: `ferritin||2025-11-12#1`. */
export function withReadKeys<R extends object>(kind: EditableKind, rows: readonly R[]): (R & { read_key: string })[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const base = baseOf(kind, row as Values);
    const nth = (seen.get(base) ?? 0) + 1;
    seen.set(base, nth);
    return { ...row, read_key: `${base}#${nth}` };
  });
}

/**
 * The rows of a new reading that are not already there as a person left them, and that he has not removed.
 * A claim takes at most one row: by its key, else by its place on the page, and a row that was added by hand by its name.
 */
export function unclaimedRows<R extends { read_key: string }>(
  kind: EditableKind,
  read: readonly R[],
  claims: readonly Claim[],
): R[] {
  const left = new Set(read);
  const take = (row: R | undefined): boolean => row !== undefined && left.delete(row);
  const distinct = [...new Map(claims.map((claim, index) => [claim.readKey ?? `added ${index}`, claim])).values()];
  const unmatched = distinct.filter(
    (claim) => !take(claim.readKey === null ? undefined : [...left].find((row) => row.read_key === claim.readKey)),
  );
  const unplaced = unmatched.filter((claim) => !take(nearest(placeOf(claim.row), [...left])));
  for (const claim of unplaced.filter(({ readKey }) => readKey === null))
    take([...left].find((row) => row.read_key.startsWith(`${baseOf(kind, claim.row)}#`)));
  return read.filter((row) => left.has(row));
}

interface Placed {
  page: number;
  bbox: BBox;
}
const placeOf = (row: Values): Placed | null => (row['evidence'] as Placed | null | undefined) ?? null;

function nearest<R extends object>(place: Placed | null, rows: readonly R[]): R | undefined {
  if (!place) return undefined;
  const near = rows
    .map((row) => ({ row, share: commonShare(place, placeOf(row as Values)) }))
    .filter(({ share }) => share >= SAME_PLACE);
  return near.sort((a, b) => b.share - a.share)[0]?.row;
}

/** Intersection over union of two boxes; 0 on different pages. */
function commonShare(a: Placed, b: Placed | null): number {
  if (!b || a.page !== b.page) return 0;
  const [ax, ay, aw, ah] = a.bbox,
    [bx, by, bw, bh] = b.bbox;
  const width = Math.min(ax + aw, bx + bw) - Math.max(ax, bx),
    height = Math.min(ay + ah, by + bh) - Math.max(ay, by);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (aw * ah + bw * bh - width * height);
}

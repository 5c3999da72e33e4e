import type { BBox } from '../../../../src-shared/medical/page.ts';
import { foldName } from '../../names/service.ts';

/** Kinds of rows that users may edit, by table. */
export const EDITABLE_ROWS = ['lab_results', 'encounters', 'medications', 'vaccinations'] as const;
export type EditableKind = (typeof EDITABLE_ROWS)[number];

type Values = Record<string, unknown>;
/** A user-edited or removed row; `readKey` is null for rows the user added. */
export interface UserRow {
  row: Values;
  readKey: string | null;
}

/** Intersection over union above which two boxes are considered the same line of a page. */
const MIN_OVERLAP = 0.5;

/** Columns that identify a row; of an inner list, the first column with a value. */
const KEY_COLUMNS: Record<EditableKind, readonly (readonly string[])[]> = {
  lab_results: [['test_name_original'], ['sample_type'], ['test_date']],
  encounters: [['diagnosis_original']],
  medications: [['brand_name', 'active_ingredient_original']],
  vaccinations: [['vaccine_name'], ['date_administered']],
};

/** Identifies a row within one reading, except for repetitions: `ferritin|serum|2025-11-12`. */
const keyWithoutCount = (kind: EditableKind, row: Values): string =>
  KEY_COLUMNS[kind]
    .map((columns) =>
      foldName(
        String(columns.map((column) => row[column]).find((value) => typeof value === 'string' && value !== '') ?? ''),
      ),
    )
    .join('|');

/** Adds the key by which the next reading recognizes a row: `ferritin||2025-11-12#1`. */
export function withReadKeys<R extends object>(kind: EditableKind, rows: readonly R[]): (R & { read_key: string })[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const key = keyWithoutCount(kind, row as Values);
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return { ...row, read_key: `${key}#${nth}` };
  });
}

/**
 * Returns the rows of a new reading that no user-edited or removed row replaces. A user row replaces at most one row:
 * the one with its key, otherwise the one in its place on the page. A row that a user added replaces one with its name.
 */
export function rowsWithoutUserEdits<R extends { read_key: string }>(
  kind: EditableKind,
  read: readonly R[],
  userRows: readonly UserRow[],
): R[] {
  const remaining = new Set(read);
  const remove = (row: R | undefined): boolean => row !== undefined && remaining.delete(row);
  const distinct = [...new Map(userRows.map((row, index) => [row.readKey ?? `added ${index}`, row])).values()];
  const unmatched = distinct.filter(
    ({ readKey }) => !remove(readKey === null ? undefined : [...remaining].find((row) => row.read_key === readKey)),
  );
  const unplaced = unmatched.filter(({ row }) => !remove(nearest(placeOf(row), [...remaining])));
  for (const added of unplaced.filter(({ readKey }) => readKey === null))
    remove([...remaining].find((row) => row.read_key.startsWith(`${keyWithoutCount(kind, added.row)}#`)));
  return read.filter((row) => remaining.has(row));
}

interface RowPlace {
  page: number;
  bbox: BBox;
}
const placeOf = (row: Values): RowPlace | null => (row['evidence'] as RowPlace | null | undefined) ?? null;

function nearest<R extends object>(place: RowPlace | null, rows: readonly R[]): R | undefined {
  if (!place) return undefined;
  const overlapping = rows
    .map((row) => ({ row, overlap: overlapOf(place, placeOf(row as Values)) }))
    .filter(({ overlap }) => overlap >= MIN_OVERLAP);
  return overlapping.sort((a, b) => b.overlap - a.overlap)[0]?.row;
}

/** Intersection over union of two boxes; 0 on different pages. */
function overlapOf(a: RowPlace, b: RowPlace | null): number {
  if (!b || a.page !== b.page) return 0;
  const [ax, ay, aw, ah] = a.bbox,
    [bx, by, bw, bh] = b.bbox;
  const width = Math.min(ax + aw, bx + bw) - Math.max(ax, bx),
    height = Math.min(ay + ah, by + bh) - Math.max(ay, by);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (aw * ah + bw * bh - width * height);
}

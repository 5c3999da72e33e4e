/**
 * Columns of the document list, in their order; `sort` is the name by which the API sorts, where it can.
 * `least` is the narrowest useful width, px; a column that `grows` takes of what is left. `rank`: the lowest goes first where space is short.
 */
export const COLUMNS = [
  { id: 'event_date', sort: 'event_date', minWidthPx: 116, grows: false, rank: 12 },
  { id: 'doc_type', sort: 'doc_type', minWidthPx: 136, grows: false, rank: 9 },
  { id: 'title', sort: 'original_filename', minWidthPx: 190, grows: true, rank: 11 },
  { id: 'patient', sort: null, minWidthPx: 120, grows: true, rank: 6 },
  { id: 'doctor', sort: 'doctor', minWidthPx: 140, grows: true, rank: 8 },
  { id: 'facility', sort: 'facility', minWidthPx: 140, grows: true, rank: 7 },
  { id: 'specialty', sort: 'specialty', minWidthPx: 100, grows: true, rank: 4 },
  { id: 'event', sort: null, minWidthPx: 100, grows: true, rank: 5 },
  { id: 'tags', sort: null, minWidthPx: 90, grows: true, rank: 3 },
  { id: 'page_count', sort: null, minWidthPx: 64, grows: false, rank: 1 },
  { id: 'created_at', sort: 'created_at', minWidthPx: 116, grows: false, rank: 2 },
  { id: 'status', sort: 'status', minWidthPx: 132, grows: false, rank: 10 },
] as const;
export type ColumnId = (typeof COLUMNS)[number]['id'];

/** Columns that cannot be left out: without them a row could not be told from the next. */
export const ALWAYS: readonly ColumnId[] = ['event_date', 'title'];
/** The default columns. Tags appear next to the title unless they have a column of their own. */
const FIRST_CHOICE: readonly ColumnId[] = ['event_date', 'doc_type', 'title', 'doctor', 'facility', 'event', 'status'];

/** Columns out of a kept choice ("doctor,status"), in the order of the table; the first choice where none was kept. */
export function columnsFrom(stored: string | null): ColumnId[] {
  const selected = stored === null ? FIRST_CHOICE : [...ALWAYS, ...stored.split(',')];
  return COLUMNS.map(({ id }) => id).filter((id) => selected.includes(id));
}

/** The choice with one column more or less, as it is kept. */
export function withColumn(columns: readonly ColumnId[], id: ColumnId): string {
  return (columns.includes(id) ? columns.filter((other) => other !== id) : [...columns, id]).join(',');
}

/** Order in which a column is first sorted: dates from the newest, words from A. */
export const firstOrder = (sort: string): 'asc' | 'desc' =>
  sort === 'event_date' || sort === 'created_at' ? 'desc' : 'asc';

type Column = (typeof COLUMNS)[number];
export interface FittedColumn {
  id: ColumnId;
  width: number;
}

/** Share of the space left over that the title takes before the others. */
const TITLE_SHARE = 0.5;

/** Widths of the columns in a table of `width` px; those that do not fit are left out, the least important first. */
export function fitColumns(selected: readonly ColumnId[], width: number): FittedColumn[] {
  const columns = COLUMNS.filter(({ id }) => selected.includes(id));
  const byRank = [...columns].sort((a, b) => a.rank - b.rank);
  const minWidth = (): number => columns.reduce((sum, { minWidthPx }) => sum + minWidthPx, 0);
  for (const { id } of byRank) {
    if (minWidth() <= width || ALWAYS.includes(id)) break;
    columns.splice(
      columns.findIndex((column) => column.id === id),
      1,
    );
  }
  const spareWidth = Math.max(0, width - minWidth());
  const growing = columns.filter(({ id, grows }) => grows && id !== 'title').length;
  const ofTitle = growing === 0 ? spareWidth : spareWidth * TITLE_SHARE;
  const extraOf = ({ id, grows }: Column): number => {
    if (id === 'title') return ofTitle;
    return grows ? (spareWidth - ofTitle) / growing : 0;
  };
  return columns.map((column) => ({ id: column.id, width: Math.floor(column.minWidthPx + extraOf(column)) }));
}

/**
 * Columns of the document list, in their order; `sort` is the name by which the API sorts, where it can.
 * `least` is the narrowest useful width, px; a column that `grows` takes of what is left. `rank`: the lowest goes first where space is short.
 */
export const COLUMNS = [
  { id: 'event_date', sort: 'event_date', least: 116, grows: false, rank: 12 },
  { id: 'doc_type', sort: 'doc_type', least: 136, grows: false, rank: 9 },
  { id: 'title', sort: 'original_filename', least: 190, grows: true, rank: 11 },
  { id: 'patient', sort: null, least: 120, grows: true, rank: 6 },
  { id: 'doctor', sort: 'doctor', least: 140, grows: true, rank: 8 },
  { id: 'facility', sort: 'facility', least: 140, grows: true, rank: 7 },
  { id: 'specialty', sort: 'specialty', least: 100, grows: true, rank: 4 },
  { id: 'event', sort: null, least: 100, grows: true, rank: 5 },
  { id: 'tags', sort: null, least: 90, grows: true, rank: 3 },
  { id: 'page_count', sort: null, least: 64, grows: false, rank: 1 },
  { id: 'created_at', sort: 'created_at', least: 116, grows: false, rank: 2 },
  { id: 'status', sort: 'status', least: 132, grows: false, rank: 10 },
] as const;
export type ColumnId = (typeof COLUMNS)[number]['id'];

/** Columns that cannot be left out: without them a row could not be told from the next. */
export const ALWAYS: readonly ColumnId[] = ['event_date', 'title'];
/** Tags stand beside the title unless they have a column of their own. */
const FIRST_CHOICE: readonly ColumnId[] = ['event_date', 'doc_type', 'title', 'doctor', 'facility', 'event', 'status'];

/** Columns out of a kept choice ("doctor,status"), in the order of the table; the first choice where none was kept. */
export function columnsFrom(kept: string | null): ColumnId[] {
  const chosen = kept === null ? FIRST_CHOICE : [...ALWAYS, ...kept.split(',')];
  return COLUMNS.map(({ id }) => id).filter((id) => chosen.includes(id));
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
export function fitColumns(chosen: readonly ColumnId[], width: number): FittedColumn[] {
  const columns = COLUMNS.filter(({ id }) => chosen.includes(id));
  const byRank = [...columns].sort((a, b) => a.rank - b.rank);
  const wanted = (): number => columns.reduce((sum, { least }) => sum + least, 0);
  for (const { id } of byRank) {
    if (wanted() <= width || ALWAYS.includes(id)) break;
    columns.splice(
      columns.findIndex((column) => column.id === id),
      1,
    );
  }
  const left = Math.max(0, width - wanted());
  const growing = columns.filter(({ id, grows }) => grows && id !== 'title').length;
  const ofTitle = growing === 0 ? left : left * TITLE_SHARE;
  const extraOf = ({ id, grows }: Column): number => {
    if (id === 'title') return ofTitle;
    return grows ? (left - ofTitle) / growing : 0;
  };
  return columns.map((column) => ({ id: column.id, width: Math.floor(column.least + extraOf(column)) }));
}

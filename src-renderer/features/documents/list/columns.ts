import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';

/**
 * Columns of the document list in display order; `sort` is the sort name of the API, if it can sort by the column.
 * Columns marked with `grows` share the remaining width; the one with the lowest `rank` is dropped first if space is
 * short.
 */
export const COLUMNS = [
  { id: 'event_date', sort: 'event_date', minWidthPx: 116, grows: false, rank: 13 },
  { id: 'patient', sort: null, minWidthPx: 112, grows: false, rank: 11 },
  { id: 'title', sort: 'doc_type', minWidthPx: 190, grows: true, rank: 12 },
  { id: 'doc_type', sort: 'doc_type', minWidthPx: 136, grows: false, rank: 6 },
  { id: 'doctor', sort: 'doctor', minWidthPx: 140, grows: true, rank: 9 },
  { id: 'facility', sort: 'facility', minWidthPx: 140, grows: true, rank: 7 },
  { id: 'specialty', sort: 'specialty', minWidthPx: 100, grows: true, rank: 4 },
  { id: 'event', sort: null, minWidthPx: 100, grows: true, rank: 8 },
  { id: 'tags', sort: null, minWidthPx: 90, grows: true, rank: 5 },
  { id: 'original_filename', sort: 'original_filename', minWidthPx: 140, grows: true, rank: 3 },
  { id: 'page_count', sort: null, minWidthPx: 64, grows: false, rank: 1 },
  { id: 'created_at', sort: 'created_at', minWidthPx: 116, grows: false, rank: 2 },
  { id: 'status', sort: 'status', minWidthPx: 168, grows: false, rank: 10 },
] as const;
export type ColumnId = (typeof COLUMNS)[number]['id'];

/** Columns that are always shown, because they identify a row. */
export const FIXED_COLUMNS: readonly ColumnId[] = ['event_date', 'title'];
/**
 * The default columns. The title names type and facility; tags appear next to it unless they have their own column.
 */
const DEFAULT_COLUMNS: readonly ColumnId[] = ['event_date', 'title', 'doctor', 'event', 'status'];
/** Precedes the stored name of a column that is shown although no row has anything in it. */
const ALWAYS = '+';
/** Stored when the column of the patient was hidden where all people are shown. */
const NO_PATIENT = '-patient';

/**
 * Parses stored columns ("doctor,status") into the order of the table; the default columns if none are stored. Where all
 * people are shown (`isEveryone`), the patient is shown unless that column was hidden there.
 */
export function columnsFrom(stored: string | null, isEveryone: boolean): ColumnId[] {
  const names = stored === null ? DEFAULT_COLUMNS : [...FIXED_COLUMNS, ...namesIn(stored)];
  const isShown = (id: ColumnId): boolean =>
    names.includes(id) || (id === 'patient' && isEveryone && !names.includes(NO_PATIENT as ColumnId));
  return COLUMNS.map(({ id }) => id).filter(isShown);
}

const entriesOf = (stored: string | null): string[] => (stored ?? '').split(',');
const namesIn = (stored: string): string[] => entriesOf(stored).map((name) => name.replace(ALWAYS, ''));
const isAlways = (stored: string | null, id: ColumnId): boolean => entriesOf(stored).includes(ALWAYS + id);

/** The columns of `columnsFrom` without those in `empty`, unless they were chosen nevertheless. */
export const shownColumns = (
  stored: string | null,
  isEveryone: boolean,
  empty: ReadonlySet<ColumnId> = new Set(),
): ColumnId[] => columnsFrom(stored, isEveryone).filter((id) => !empty.has(id) || isAlways(stored, id));

/**
 * Hides a shown column, or shows a hidden one, also one that was hidden because it is in `empty`; returns the text to
 * store.
 */
export function withColumn(
  stored: string | null,
  id: ColumnId,
  isEveryone: boolean,
  empty?: ReadonlySet<ColumnId>,
): string {
  const wasShown = shownColumns(stored, isEveryone, empty).includes(id);
  const others = columnsFrom(stored, isEveryone)
    .filter((other) => other !== id)
    .map((other) => (isAlways(stored, other) ? ALWAYS + other : other));
  const wasHidden = entriesOf(stored).includes(NO_PATIENT);
  const hides = id === 'patient' ? isEveryone && wasShown : wasHidden;
  return [...others, ...(wasShown ? [] : [ALWAYS + id]), ...(hides ? [NO_PATIENT] : [])].join(',');
}

/** Whether a document has something to show in a column. */
const HAS_CONTENT: Partial<Record<ColumnId, (item: DocumentListItem) => boolean>> = {
  patient: (item) => Boolean(item.patient_name),
  doc_type: (item) => item.doc_type !== null,
  doctor: (item) => Boolean(item.doctor_name),
  facility: (item) => Boolean(item.facility_name),
  specialty: (item) => Boolean(item.specialty_canonical_display ?? item.specialty_display),
  event: (item) => Boolean(item.event_title),
  tags: (item) => Boolean(item.tags),
  page_count: (item) => item.page_count !== null,
  status: (item) => item.status !== 'done',
};

/** The columns in which none of the documents has anything. */
export const emptyColumns = (items: readonly DocumentListItem[]): ReadonlySet<ColumnId> =>
  new Set(
    COLUMNS.map(({ id }) => id).filter((id) => {
      const hasContent = HAS_CONTENT[id];
      return hasContent !== undefined && !items.some(hasContent);
    }),
  );

/** The initial sort order of a column: newest dates first, texts from A. */
export const firstOrder = (sort: string): 'asc' | 'desc' =>
  sort === 'event_date' || sort === 'created_at' ? 'desc' : 'asc';

type Column = (typeof COLUMNS)[number];
export interface FittedColumn {
  id: ColumnId;
  width: number;
}

/** The title's share of the remaining width. */
const TITLE_SHARE = 0.6;

/** Fits columns into `width` pixels; drops the least important ones if they do not fit. */
export function fitColumns(selected: readonly ColumnId[], width: number): FittedColumn[] {
  const columns = COLUMNS.filter(({ id }) => selected.includes(id));
  const byRank = [...columns].sort((a, b) => a.rank - b.rank);
  const minWidth = (): number => columns.reduce((sum, { minWidthPx }) => sum + minWidthPx, 0);
  for (const { id } of byRank) {
    if (minWidth() <= width || FIXED_COLUMNS.includes(id)) break;
    columns.splice(
      columns.findIndex((column) => column.id === id),
      1,
    );
  }
  const spareWidth = Math.max(0, width - minWidth());
  const growingCount = columns.filter(({ id, grows }) => grows && id !== 'title').length;
  const titleExtra = growingCount === 0 ? spareWidth : spareWidth * TITLE_SHARE;
  const extraOf = ({ id, grows }: Column): number => {
    if (id === 'title') return titleExtra;
    return grows ? (spareWidth - titleExtra) / growingCount : 0;
  };
  return columns.map((column) => ({ id: column.id, width: Math.floor(column.minWidthPx + extraOf(column)) }));
}

import type { DocumentSort } from '../../../../src-shared/contract/documents.ts';

/** The documents that a list may contain. */
export interface Visibility {
  userId: number;
  patientIds: number[];
  isAdmin: boolean;
}

export interface ListFilters {
  patient_id?: number | undefined;
  type?: string[] | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
  status?: string[] | undefined;
  specialty?: string[] | undefined;
  doctor_id?: string[] | undefined;
  facility_id?: string[] | undefined;
  /** Ids or names. */
  doctor?: string[] | undefined;
  facility?: string[] | undefined;
  event_id?: string[] | undefined;
  tag?: string[] | undefined;
  /** Omits documents of which it is undecided whose they are. */
  decidedOnly?: boolean | undefined;
}

/** A search in a person's documents finds only what is certainly theirs. */
export const searchedFilters = (filters: ListFilters, isSearch: boolean): ListFilters =>
  isSearch && filters.patient_id !== undefined ? { ...filters, decidedOnly: true } : filters;

/** A condition over `documents AS d` with its bound values. */
export interface Condition {
  sql: string;
  values: (string | number)[];
}

/** Of which documents hits are counted: of a patient, of everybody whose they are decided to be, or all visible ones. */
export type SearchedDocuments = number | 'decided' | undefined;

const DECIDED: Condition = { sql: 'd.patient_undecided = 0', values: [] };
/** Filter value for documents without a value. */
const NULL_FILTER = '__blank__';
const marks = (values: unknown[]): string => values.map(() => '?').join(',');

/** `column IN (…)`, or null for the NULL filter. */
function oneOf(column: string, values: (string | number)[]): Condition {
  const present = values.filter((value) => value !== NULL_FILTER);
  const parts = [
    ...(present.length ? [`${column} IN (${marks(present)})`] : []),
    ...(values.includes(NULL_FILTER) ? [`${column} IS NULL`] : []),
  ];
  return { sql: parts.length > 1 ? `(${parts.join(' OR ')})` : (parts[0] ?? '0'), values: present };
}

/** Documents of one of the events, primary or not; for the NULL filter, documents without any event. */
function inEvents(values: (string | number)[]): Condition {
  const present = values.filter((value) => value !== NULL_FILTER);
  const parts = [
    ...(present.length
      ? [`d.id IN (SELECT document_id FROM event_documents WHERE event_id IN (${marks(present)}))`]
      : []),
    ...(values.includes(NULL_FILTER)
      ? ['(d.event_id IS NULL AND NOT EXISTS (SELECT 1 FROM event_documents AS x WHERE x.document_id = d.id))']
      : []),
  ];
  return { sql: `(${parts.join(' OR ') || '0'})`, values: present };
}

/** Ids from query text; anything else becomes -1, which matches nothing. */
const idsOf = (values: string[]): (string | number)[] =>
  values.map((value) => {
    if (value === NULL_FILTER) return value;
    return /^\d{1,15}$/.test(value) ? Number(value) : -1;
  });

/** Documents that the caller may see; with a patient, only that patient's. */
export function visibleTo(
  { userId, patientIds, isAdmin }: Visibility,
  patientId: number | undefined,
  { useSortIndex }: { useSortIndex: boolean },
): Condition {
  // The unary plus keeps SQLite from using the patient index where scanning the index of the sort is cheaper.
  const column = useSortIndex ? '+d.patient_id' : 'd.patient_id';
  if (patientId !== undefined)
    return patientIds.includes(patientId) ? { sql: `${column} = ?`, values: [patientId] } : { sql: '0', values: [] };
  const unsorted = isAdmin ? `${column} IS NULL` : `(${column} IS NULL AND d.uploaded_by_user_id = ?)`;
  return {
    sql: `(${column} IN (${marks(patientIds)}) OR ${unsorted})`,
    values: [...patientIds, ...(isAdmin ? [] : [userId])],
  };
}

/** Database lookups for the conditions. */
export interface FilterLookups {
  specialtyIds(values: string[]): (string | number)[];
  /** Ids for ids and names. */
  entryIds(kind: 'doctors' | 'facilities', values: string[]): (string | number)[];
  /**
   * True if so many documents have one of the tags that scanning the sort index finds a page faster than sorting them.
   */
  areCommonTags(tags: string[]): boolean;
}

/** The filters of the list, except the patient and the search line. */
export function filterConditions(
  filters: ListFilters,
  { specialtyIds, entryIds, areCommonTags }: FilterLookups,
  sort: DocumentSort | null,
): Condition[] {
  const conditions: Condition[] = filters.decidedOnly ? [DECIDED] : [];
  if (filters.type) conditions.push(oneOf('d.doc_type', filters.type));
  // Most documents are done, so scanning the sort index finds a page faster than sorting all rows of the status index.
  // A single status has an index by date.
  const isCommon =
    filters.status?.includes('done') &&
    sort !== null &&
    sort !== 'status' &&
    !(sort === 'event_date' && filters.status.length === 1);
  if (filters.status) conditions.push(oneOf(isCommon ? '+d.status' : 'd.status', filters.status));
  if (filters.doctor_id) conditions.push(oneOf('d.doctor_id', idsOf(filters.doctor_id)));
  if (filters.facility_id) conditions.push(oneOf('d.facility_id', idsOf(filters.facility_id)));
  if (filters.doctor) conditions.push(oneOf('d.doctor_id', entryIds('doctors', filters.doctor)));
  if (filters.facility) conditions.push(oneOf('d.facility_id', entryIds('facilities', filters.facility)));
  if (filters.event_id) conditions.push(inEvents(idsOf(filters.event_id)));
  if (filters.specialty) conditions.push(oneOf('d.norm_specialty_id', specialtyIds(filters.specialty)));
  if (filters.date_from) conditions.push({ sql: 'd.event_date >= ?', values: [filters.date_from] });
  if (filters.date_to) conditions.push({ sql: 'd.event_date <= ?', values: [filters.date_to] });
  if (filters.tag) {
    const present = filters.tag.filter((tag) => tag !== NULL_FILTER);
    const parts = [
      ...(present.length
        ? [
            sort !== null && areCommonTags(present)
              ? `EXISTS (SELECT 1 FROM document_tags AS t WHERE t.document_id = d.id AND t.tag IN (${marks(present)}))`
              : `d.id IN (SELECT document_id FROM document_tags WHERE tag IN (${marks(present)}))`,
          ]
        : []),
      ...(filters.tag.includes(NULL_FILTER) ? ['d.tags IS NULL'] : []),
    ];
    conditions.push({ sql: `(${parts.join(' OR ') || '0'})`, values: present });
  }
  return conditions;
}

/** All conditions joined with AND. */
export const allOf = (conditions: Condition[]): Condition => ({
  sql: conditions.map((condition) => condition.sql).join(' AND ') || '1',
  values: conditions.flatMap((condition) => condition.values),
});

/** Table and column of a sort. Rows without a value have null in `nullable`; it is null if every row has a value. */
interface SortPlan {
  from: string;
  column: string;
  nullable: string | null;
  /** Columns that order rows of the same value, before the id. */
  tieBreakers: readonly string[];
}

const ownColumn = (column: string, options: Partial<SortPlan> = {}): SortPlan => ({
  from: 'documents AS d',
  column: `d.${column}`,
  nullable: `d.${column}`,
  tieBreakers: [],
  ...options,
});
const joinedName = (table: string, column: string, key: string): SortPlan => ({
  from: `${table} AS x CROSS JOIN documents AS d ON d.${key} = x.id`,
  column: `x.${column}`,
  nullable: `d.${key}`,
  tieBreakers: ['x.id', 'd.event_date'],
});

const SORT_PLANS: Record<DocumentSort, SortPlan> = {
  event_date: ownColumn('event_date'),
  original_filename: ownColumn('original_filename', { nullable: null }),
  doc_type: ownColumn('doc_type', { tieBreakers: ['d.event_date'] }),
  status: ownColumn('status', { nullable: null, tieBreakers: ['d.event_date'] }),
  created_at: ownColumn('created_at', { nullable: null }),
  doctor: joinedName('doctors', 'name', 'doctor_id'),
  facility: joinedName('facilities', 'name', 'facility_id'),
  patient: joinedName('patients', 'display_name', 'patient_id'),
  specialty: joinedName('norm_specialties', 'canonical_display', 'norm_specialty_id'),
};

/**
 * The statements of a sorted list: rows with a value in order, and rows without one, which come last in both
 * directions. Both scan an index, so that a page reads only its own rows, and take an offset; `withoutValue` also takes
 * its limit. The limit of a page is part of the text, because SQLite plans a statement anew for each bound limit. `from`
 * counts the rows with a value.
 */
export function sortedStatements(
  { sort, order, limit }: { sort: DocumentSort; order: 'asc' | 'desc'; limit: number },
  where: Condition,
): { from: string; valued: string; withoutValue: string | null } {
  const plan = SORT_PLANS[sort];
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const by = [plan.column, ...plan.tieBreakers, 'd.id'].map((column) => `${column} ${direction}`).join(', ');
  const from = `${plan.from} WHERE ${where.sql}${plan.nullable ? ` AND ${plan.nullable} IS NOT NULL` : ''}`;
  const dateFirst = sort === 'event_date' ? '' : 'd.event_date DESC, ';
  return {
    from,
    valued: `SELECT d.id FROM ${from} ORDER BY ${by} LIMIT ${limit} OFFSET ?`,
    withoutValue: plan.nullable
      ? `SELECT d.id FROM documents AS d WHERE ${where.sql} AND ${plan.nullable} IS NULL
        ORDER BY ${dateFirst}d.id DESC LIMIT ? OFFSET ?`
      : null,
  };
}

/**
 * Whether the index of the sort is faster than the patient's index: always, except for sorting by date within one
 * patient.
 */
export const usesSortIndex = (sort: DocumentSort, patientId: number | undefined): boolean =>
  !(sort === 'event_date' && patientId !== undefined);

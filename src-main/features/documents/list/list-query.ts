import type { DocumentSort } from '../../../../src-shared/contract/documents.ts';

/** Whose documents a list may hold. */
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
  event_id?: string[] | undefined;
  tag?: string[] | undefined;
}

/** A condition over `documents AS d` with its bound values. */
export interface Condition {
  sql: string;
  values: (string | number)[];
}

const BLANK = '__blank__';
const marks = (values: unknown[]): string => values.map(() => '?').join(',');

/** `column IN (…)`, with the sentinel for "has none". */
function oneOf(column: string, values: (string | number)[]): Condition {
  const named = values.filter((value) => value !== BLANK);
  const parts = [
    ...(named.length ? [`${column} IN (${marks(named)})`] : []),
    ...(values.includes(BLANK) ? [`${column} IS NULL`] : []),
  ];
  return { sql: parts.length > 1 ? `(${parts.join(' OR ')})` : (parts[0] ?? '0'), values: named };
}

/** Documents that stand in one of the events, as their home or beside it; the sentinel for those that stand in none. */
function inEvents(values: (string | number)[]): Condition {
  const named = values.filter((value) => value !== BLANK);
  const parts = [
    ...(named.length ? [`d.id IN (SELECT document_id FROM event_documents WHERE event_id IN (${marks(named)}))`] : []),
    ...(values.includes(BLANK)
      ? ['(d.event_id IS NULL AND NOT EXISTS (SELECT 1 FROM event_documents AS x WHERE x.document_id = d.id))']
      : []),
  ];
  return { sql: `(${parts.join(' OR ') || '0'})`, values: named };
}

/** Ids come as text; what is no id matches nothing. */
const idsOf = (values: string[]): (string | number)[] =>
  values.map((value) => (value === BLANK ? value : /^\d{1,15}$/.test(value) ? Number(value) : -1));

/** What the caller may see. With a patient given, his documents only. */
export function visibleTo(
  { userId, patientIds, isAdmin }: Visibility,
  patientId: number | undefined,
  { walk }: { walk: boolean },
): Condition {
  // The unary plus keeps SQLite from choosing the patient index when a sorted walk of another index is cheaper.
  const column = walk ? '+d.patient_id' : 'd.patient_id';
  if (patientId !== undefined)
    return patientIds.includes(patientId) ? { sql: `${column} = ?`, values: [patientId] } : { sql: '0', values: [] };
  const unsorted = isAdmin ? `${column} IS NULL` : `(${column} IS NULL AND d.uploaded_by_user_id = ?)`;
  return {
    sql: `(${column} IN (${marks(patientIds)}) OR ${unsorted})`,
    values: [...patientIds, ...(isAdmin ? [] : [userId])],
  };
}

/** What conditions have to ask of the database. */
export interface FilterLookups {
  specialtyIds(values: string[]): (string | number)[];
  /** True when so many documents have one of the tags that walking the sort finds a page of them sooner than sorting them. */
  areCommonTags(tags: string[]): boolean;
}

/** The filters of the list, except the patient and the search line. */
export function filterConditions(
  filters: ListFilters,
  { specialtyIds, areCommonTags }: FilterLookups,
  sort: DocumentSort | null,
): Condition[] {
  const conditions: Condition[] = [];
  if (filters.type) conditions.push(oneOf('d.doc_type', filters.type));
  // Most documents are done: walking the sort finds a page of them sooner than their own index, which has to sort them all. One state has its index by day.
  const isCommon =
    filters.status?.includes('done') &&
    sort !== null &&
    sort !== 'status' &&
    !(sort === 'event_date' && filters.status.length === 1);
  if (filters.status) conditions.push(oneOf(isCommon ? '+d.status' : 'd.status', filters.status));
  if (filters.doctor_id) conditions.push(oneOf('d.doctor_id', idsOf(filters.doctor_id)));
  if (filters.facility_id) conditions.push(oneOf('d.facility_id', idsOf(filters.facility_id)));
  if (filters.event_id) conditions.push(inEvents(idsOf(filters.event_id)));
  if (filters.specialty) conditions.push(oneOf('d.norm_specialty_id', specialtyIds(filters.specialty)));
  if (filters.date_from) conditions.push({ sql: 'd.event_date >= ?', values: [filters.date_from] });
  if (filters.date_to) conditions.push({ sql: 'd.event_date <= ?', values: [filters.date_to] });
  if (filters.tag) {
    const named = filters.tag.filter((tag) => tag !== BLANK);
    const parts = [
      ...(named.length
        ? [
            sort !== null && areCommonTags(named)
              ? `EXISTS (SELECT 1 FROM document_tags AS t WHERE t.document_id = d.id AND t.tag IN (${marks(named)}))`
              : `d.id IN (SELECT document_id FROM document_tags WHERE tag IN (${marks(named)}))`,
          ]
        : []),
      ...(filters.tag.includes(BLANK) ? ['d.tags IS NULL'] : []),
    ];
    conditions.push({ sql: `(${parts.join(' OR ') || '0'})`, values: named });
  }
  return conditions;
}

export const all = (conditions: Condition[]): Condition => ({
  sql: conditions.map((condition) => condition.sql).join(' AND ') || '1',
  values: conditions.flatMap((condition) => condition.values),
});

/** How a sort walks: a table joined in front for names, the column, and the column that is null for rows without a value. */
interface SortPlan {
  from: string;
  column: string;
  blank: string | null;
}

const joined = (table: string, alias: string, column: string, key: string): SortPlan => ({
  from: `${table} AS ${alias} CROSS JOIN documents AS d ON d.${key} = ${alias}.id`,
  column: `${alias}.${column}`,
  blank: `d.${key}`,
});

const PLANS: Record<DocumentSort, SortPlan> = {
  event_date: { from: 'documents AS d', column: 'd.event_date', blank: 'd.event_date' },
  original_filename: { from: 'documents AS d', column: 'd.original_filename', blank: null },
  doc_type: { from: 'documents AS d', column: 'd.doc_type', blank: 'd.doc_type' },
  status: { from: 'documents AS d', column: 'd.status', blank: null },
  created_at: { from: 'documents AS d', column: 'd.created_at', blank: null },
  doctor: joined('doctors', 'x', 'name', 'doctor_id'),
  facility: joined('facilities', 'x', 'name', 'facility_id'),
  specialty: joined('norm_specialties', 'x', 'canonical_display', 'norm_specialty_id'),
};

/**
 * Two statements for one sorted list: rows that have the value, in order, and after them, in both directions, rows that have none.
 * Each ends in LIMIT ? OFFSET ?. Both walk an index, so a page costs its own rows only.
 */
export function sortedStatements(
  sort: DocumentSort,
  order: 'asc' | 'desc',
  where: Condition,
): { valued: string; blank: string | null } {
  const { from, column, blank } = PLANS[sort];
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const tie =
    sort === 'doctor' || sort === 'facility' || sort === 'specialty'
      ? `x.id ${direction}, d.event_date ${direction}, `
      : sort === 'doc_type' || sort === 'status'
        ? `d.event_date ${direction}, `
        : '';
  return {
    valued: `SELECT d.id FROM ${from} WHERE ${where.sql}${blank ? ` AND ${blank} IS NOT NULL` : ''} ORDER BY ${column} ${direction}, ${tie}d.id ${direction} LIMIT ? OFFSET ?`,
    blank: blank
      ? `SELECT d.id FROM documents AS d WHERE ${where.sql} AND ${blank} IS NULL ORDER BY ${blank === 'd.event_date' ? '' : 'd.event_date DESC, '}d.id DESC LIMIT ? OFFSET ?`
      : null,
  };
}

/** Whether a walk along the sort's own index is better than the patient's: always, but for the date within one patient. */
export const walksOwnIndex = (sort: DocumentSort, patientId: number | undefined): boolean =>
  !(sort === 'event_date' && patientId !== undefined);

import { fail } from '../../platform/kernel/errors.ts';
import type { DocumentRowKind } from './repository.ts';

type Values = Record<string, unknown>;
const META_COLUMNS = new Set(['id', 'document_id', 'edited_fields', 'read_key', 'evidence']);

/**
 * @throws `row.no_values`, `encounter.invalid_date_range` or `medication.name_missing` if the resulting row would be
 * empty or inconsistent
 */
export function requireContent(kind: DocumentRowKind, row: Values): void {
  const has = (column: string): boolean => row[column] !== null && row[column] !== undefined;
  if (kind === 'medication' && !has('brand_name') && !has('active_ingredient_original'))
    throw fail('medication.name_missing');
  if (!Object.keys(row).some((column) => !META_COLUMNS.has(column) && has(column))) throw fail('row.no_values');
  if (
    kind === 'encounter' &&
    has('admission_date') &&
    has('discharge_date') &&
    String(row['discharge_date']) < String(row['admission_date'])
  )
    throw fail('encounter.invalid_date_range');
}

/** The label of a row in the trash. */
export function labelOf(kind: DocumentRowKind, row: Values): string {
  const names = {
    encounter: ['diagnosis_original', 'findings', 'encounter_date', 'notes'],
    medication: ['brand_name', 'active_ingredient_original'],
    vaccination: ['vaccine_name'],
  } as const;
  const text = names[kind].map((column) => row[column]).find((value) => typeof value === 'string' && value !== '');
  return String(text ?? kind).slice(0, 200);
}

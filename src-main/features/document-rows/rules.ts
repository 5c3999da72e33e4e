import { fail } from '../../platform/kernel/errors.ts';
import type { DocumentRowKind } from './repository.ts';

type Values = Record<string, unknown>;
const BESIDES_CONTENT = new Set(['id', 'document_id', 'edited_fields', 'read_key', 'evidence']);

/** @throws `row.no_values`, `encounter.invalid_date_range` or `medication.name_missing` when the row, as it would stand, says nothing or cannot be */
export function requireSense(kind: DocumentRowKind, row: Values): void {
  const says = (column: string): boolean => row[column] !== null && row[column] !== undefined;
  if (kind === 'medication' && !says('brand_name') && !says('active_ingredient_original'))
    throw fail('medication.name_missing');
  if (!Object.keys(row).some((column) => !BESIDES_CONTENT.has(column) && says(column))) throw fail('row.no_values');
  if (
    kind === 'encounter' &&
    says('admission_date') &&
    says('discharge_date') &&
    String(row['discharge_date']) < String(row['admission_date'])
  )
    throw fail('encounter.invalid_date_range');
}

/** What the trash calls it. */
export function labelOf(kind: DocumentRowKind, row: Values): string {
  const names = {
    encounter: ['diagnosis_original', 'findings', 'encounter_date', 'notes'],
    medication: ['brand_name', 'active_ingredient_original'],
    vaccination: ['vaccine_name'],
  } as const;
  const text = names[kind].map((column) => row[column]).find((value) => typeof value === 'string' && value !== '');
  return String(text ?? kind).slice(0, 200);
}

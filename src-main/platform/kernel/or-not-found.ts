import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { fail } from './errors.ts';

/** The row, or the `…not_found` failure of its feature. */
export function orNotFound<T>(row: T | null | undefined, code: PlainErrorCode): T {
  if (row === null || row === undefined) throw fail(code);
  return row;
}

import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import type { FoundLabResult } from '../extraction.ts';

/** The row with one more sign of doubt; each sign counts once. */
export const doubted = (row: FoundLabResult, doubt: LabDoubt): FoundLabResult => ({
  ...row,
  doubt: [...new Set([...row.doubt, doubt])],
});

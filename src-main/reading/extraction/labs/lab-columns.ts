import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import type { Line } from '../layout/lines.ts';
import { loadWords } from '../../knowledge/words.ts';

/** Columns of laboratory tables; `lab-columns.tsv` contains their headings. */
const LAB_COLUMNS = ['test', 'value', 'unit', 'range', 'low', 'high', 'flag', 'previous', 'other'] as const;

export type LabColumn = (typeof LAB_COLUMNS)[number];

export const findLabHeadings = createPhraseFinder(loadWords('lab-columns', LAB_COLUMNS));

/** Whether a line has the headings of a test, its result, and its unit or range, each in a column of its own. */
export function hasLabHeadings({ segments }: Line): boolean {
  const columns = new Set(
    segments.flatMap(({ words }) => {
      const tokens = tokensOf(words),
        [match] = findLabHeadings(tokens);
      return match?.from === 0 && match.to === tokens.length ? [match.role] : [];
    }),
  );
  return (
    columns.has('value') && columns.has('test') && (columns.has('unit') || columns.has('range') || columns.has('high'))
  );
}

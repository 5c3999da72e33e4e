import type { Column } from '../layout/table.ts';
import type { LabColumn } from './lab-columns.ts';
import { areLimits } from './lab-range-text.ts';
import { nameOf } from './lab-row-text.ts';
import type { LabToken } from './lab-tokens.ts';
import { isKnownTest, isListedTest } from './lab-words.ts';

/** A heading of ranges may begin this far behind them, as a fraction of the page width. */
const MAX_DISTANCE = 0.05;

/**
 * A range between name and result: so close to the name that both are one segment ("Glukose 70 - 100" under
 * "Untersuchung" and "Norm"), or where the heading of ranges can't be read ("NormbereichIhr Wert").
 */
export function rangeBehindName(
  cells: { role: LabColumn; token: LabToken; column: Column<LabColumn> }[],
  columns: readonly Column<LabColumn>[],
): void {
  const named = cells.filter(({ role, column }) => role === 'test' || (role === 'other' && column.role === 'test'));
  const last = named.at(-1);
  const before = named.filter((cell) => cell !== last && cell.role === 'test').map(({ token }) => token);
  if (!last || before.length === 0 || cells.some(({ role }) => role === 'range')) return;
  const isRange = last.token.kind === 'range' || (last.token.kind === 'number' && /^[<>≤≥]/.test(last.token.text));
  const hasColumn = columns.some(({ role, from }) => role === 'range' && from > last.token.from - MAX_DISTANCE);
  const isOfTest =
    !columns.some(({ role }) => role === 'range') &&
    cells.some(({ role }) => role === 'value') &&
    isKnownTest(nameOf(before)) &&
    !isListedTest(nameOf([...before, last.token])) &&
    areLimits(last.token.text);
  if (isRange && ((hasColumn && last.role === 'test') || isOfTest)) last.role = 'range';
}

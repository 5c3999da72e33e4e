import { parseLabFlag, type LabFlag } from '../../../src-shared/medical/lab-flag.ts';
import { repairNumber } from '../../../src-shared/medical/number.ts';
import { columnAt, type Column } from '../layout/table.ts';
import type { Line } from '../layout/lines.ts';
import type { LabColumn } from './lab-columns.ts';
import { isKnownTest, isWordResult } from './lab-words.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';

/** The cells of one row, still as printed. */
export interface LabCells {
  line: Line;
  name: string;
  nameToken: LabToken | null;
  /** Several where columns are dates. */
  values: { text: string; token: LabToken; column: Column<LabColumn> | undefined }[];
  unit: string | null;
  range: string | null;
  flag: LabFlag | null;
  underHeader: boolean;
}

/** Words of a sentence; a row's name is shorter. */
const LONGEST_NAME = 9;

/** Reads one line, or one half of a line with two tables side by side, into cells. `columns` come from the header above, if there is one. */
export function readCells(line: Line, columns: readonly Column<LabColumn>[] | null): LabCells | null {
  const tokens = labTokens(line.segments);
  if (tokens.length === 0) return null;
  return columns ? withHeader(line, tokens, columns) : withoutHeader(line, tokens);
}

const joined = (tokens: readonly LabToken[]): string => tokens.map((token) => token.text).join(' ');

function withHeader(line: Line, tokens: readonly LabToken[], columns: readonly Column<LabColumn>[]): LabCells {
  const cells = new Map<LabColumn, { token: LabToken; column: Column<LabColumn> }[]>();
  const firstName = tokens[0]?.kind === 'name' ? tokens[0] : null;
  for (const token of tokens) {
    const column = columnAt(columns, token.from, token.to);
    if (!column) continue;
    // Everything of the first segment that holds letters is the name: "CA 19-9", "Vitamin B12", "25-OH".
    const isName = firstName !== null && token.segment === 0 && line.segments.length > 1;
    // `H` and `L` alone are flags wherever a unit stands already: litre and henry are no units of results.
    const isFlag = token.kind === 'unit' && parseLabFlag(token.text) !== null && tokens.some((other) => other !== token && other.kind === 'unit');
    const role: LabColumn = isName ? 'test' : isFlag ? 'flag' : roleOf(token, column.role);
    cells.set(role, [...(cells.get(role) ?? []), { token, column }]);
  }
  const of = (role: LabColumn): LabToken[] => (cells.get(role) ?? []).map(({ token }) => token);
  const ranges = of('range');
  const flagText = of('flag').map((token) => parseLabFlag(token.text)).find((flag) => flag !== null) ?? null;
  const units = of('unit');
  return {
    line, name: joined(of('test')), nameToken: of('test')[0] ?? null, underHeader: true,
    values: (cells.get('value') ?? []).flatMap(({ token, column }) => (token.kind === 'flag' || token.kind === 'unit' ? [] : [{ text: token.text, token, column }])),
    unit: units.length ? joined(units) : null,
    range: ranges.length ? rangeText(ranges) : null,
    flag: flagText,
  };
}

/** What a token is outweighs where it stands, except that numbers go by their column. */
function roleOf(token: LabToken, column: LabColumn): LabColumn {
  if (token.kind === 'unit' && column !== 'range' && column !== 'previous' && column !== 'other') return column === 'test' ? 'test' : 'unit';
  if (token.kind === 'flag' && (column === 'value' || column === 'unit' || column === 'flag')) return 'flag';
  if (token.kind === 'range' && column !== 'previous' && column !== 'test' && column !== 'other') return 'range';
  if (token.kind === 'number' && (column === 'unit' || column === 'flag')) return 'value';
  if (token.kind === 'name' && column === 'value' && !isWordResult(token.text) && repairNumber(token.text) === null && token.text.length > 3) return 'other';
  return column;
}

/** `13.5` and `17.5` in one cell are a range whose dash OCR did not see. */
function rangeText(tokens: readonly LabToken[]): string {
  const text = joined(tokens);
  const [first, second] = tokens;
  const bare = (token: LabToken | undefined): boolean => token?.kind === 'number' && /^[\d.,]+$/.test(token.text);
  return tokens.length === 2 && bare(first) && bare(second) ? `${first?.text} - ${second?.text}` : text;
}

/** Without a header the kinds and their order decide: name, value, then unit, range and flag in any order. */
function withoutHeader(line: Line, tokens: readonly LabToken[]): LabCells | null {
  const firstSegmentIsName = tokens[0]?.kind === 'name' && tokens.some((token) => token.segment > 0 && (token.kind === 'number' || isWordResult(token.text)));
  const nameTokens = firstSegmentIsName ? tokens.filter((token) => token.segment === 0) : leadingNames(tokens);
  const rest = tokens.slice(nameTokens.length);
  const name = joined(nameTokens);
  if (nameTokens.length === 0 || name.split(' ').length > LONGEST_NAME) return null;
  const numbers = rest.filter((token) => token.kind === 'number');
  const value = numbers[0] ?? rest.find((token) => token.kind === 'name' && isWordResult(token.text));
  if (!value) return null;
  const ranges = rest.filter((token) => token.kind === 'range');
  const after = numbers.slice(1);
  const unit = rest.find((token) => token.kind === 'unit');
  const [low, high] = after;
  const gapRange = ranges.length === 0 && after.length === 2 && low && high && Number(low.text.replace(',', '.')) < Number(high.text.replace(',', '.')) ? `${low.text} - ${high.text}` : null;
  const compared = ranges.length === 0 ? after.find((token) => /^[<>≤≥]/.test(token.text))?.text ?? null : null;
  return {
    line, name, nameToken: nameTokens[0] ?? null, underHeader: false, values: [{ text: value.text, token: value, column: undefined }],
    unit: unit?.text ?? null, range: ranges.length ? joined(ranges) : gapRange ?? compared,
    flag: rest.map((token) => (token.kind === 'flag' ? parseLabFlag(token.text) : null)).find((flag) => flag !== null) ?? null,
  };
}

/** Name words up to the value; a number that belongs to a known name stays with it: "CA 19-9 34 U/ml", "Vitamin B12". */
function leadingNames(tokens: readonly LabToken[]): LabToken[] {
  const end = tokens.findIndex((token) => token.kind !== 'name');
  const names = tokens.slice(0, end < 0 ? tokens.length : end);
  for (let more = 3; more > 0; more -= 1) {
    const longer = tokens.slice(0, names.length + more);
    if (longer.length === names.length + more && isKnownTest(joined(longer))) return longer;
  }
  return names;
}

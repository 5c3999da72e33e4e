import { findStrength } from '../../../../src-shared/medical/dose.ts';
import { loadWords } from '../../knowledge/words.ts';
import { fold } from '../fold.ts';
import { boxAround } from '../layout/geometry.ts';
import type { Line, Segment } from '../layout/lines.ts';

const WORDS = loadWords('medicine-headings', ['list', 'end']);
const LIST = WORDS.list.map(fold).sort((a, b) => b.length - a.length);
const END = WORDS.end.map(fold);
/** Letters of a heading beside those that make it one: "Medikation bei Austritt (ab 3. Mai)". */
const MAX_HEADING_REST = 25;
const SIGN = /^(?:℞|r\/)\s*$/iu;

const headingIn = (text: string): string | undefined => {
  const folded = fold(text);
  return LIST.find((heading) => folded === heading || folded.startsWith(`${heading} `));
};

/** Whether a text begins a list of medicines. */
export function isListHeading(text: string): boolean {
  const printed = text.replace(/[:\s]+$/, '');
  if (SIGN.test(printed)) return true;
  const heading = headingIn(printed);
  return (
    heading !== undefined && !printed.includes('.', 4) && fold(printed).length - heading.length <= MAX_HEADING_REST
  );
}

/** Whether a text ends a list of medicines. */
export function endsList(text: string): boolean {
  const folded = fold(text);
  return END.some((word) => folded.startsWith(word));
}

const BOX = /^[☐☑☒□■▪•●○◦]/u;
const SAME_COLUMN = 0.01;
/** Lines of a list with boxes or bullets in a column to the right, without what the column to the left prints. */
export function inTheirColumn(lines: readonly Line[]): Line[] {
  const isListed = ({ text }: Segment): boolean => BOX.test(text) && findStrength(text) !== null;
  const items = lines.flatMap(({ segments }) => segments.filter(isListed)).map(({ bbox }) => bbox[0]);
  return lines.map((line) => {
    const at = line.segments.findIndex(
      (segment, index) =>
        index > 0 && isListed(segment) && items.filter((x) => Math.abs(x - segment.bbox[0]) < SAME_COLUMN).length > 1,
    );
    return at < 0 ? line : withSegments(line, line.segments.slice(at));
  });
}

/**
 * The rest of a line after a heading in its own column or before a colon: "Therapie    Ramipril 5 mg", "Medication:
 * ramipril 5 mg". Null if there is no heading or nothing with a strength after it.
 */
export function afterHeading(line: Line): Line | null {
  const [first, ...others] = line.segments;
  if (!first) return null;
  if (others.length > 0 && isListHeading(first.text) && findStrength(first.text) === null) return dosed(line, others);
  const colon = first.words.findIndex(({ text }) => text.endsWith(':'));
  const label = first.words
    .slice(0, colon + 1)
    .map(({ text }) => text)
    .join(' ');
  if (colon < 0 || colon === first.words.length - 1 || headingIn(label) !== fold(label)) return null;
  const words = first.words.slice(colon + 1);
  const rest = { text: words.map(({ text }) => text).join(' '), words, bbox: boxAround(words) };
  return dosed(line, [rest, ...others]);
}

function dosed(line: Line, segments: Segment[]): Line | null {
  const rest = withSegments(line, segments);
  return findStrength(rest.text) ? rest : null;
}

function withSegments(line: Line, segments: Segment[]): Line {
  const words = segments.flatMap((segment) => segment.words);
  const text = segments.map((segment) => segment.text).join('  ');
  return { ...line, segments, words, text, bbox: boxAround(words) };
}

import type { FoundLabResult } from '../extraction.ts';
import type { Line } from '../layout/lines.ts';
import { cleanName } from './lab-names.ts';
import { isOtherUnit } from './lab-other-unit.ts';
import { PANEL_WORDS } from './lab-panels.ts';
import type { LabCells } from './lab-rows.ts';
import type { LabTable } from './lab-table.ts';
import { isKnownTest } from './lab-words.ts';
import { isNameOfTest } from './plausible-limits.ts';

/** Where the name of a result begins, and the line above the result if that line begins the name. */
export interface Named {
  x: number;
  y: number;
  above: Line | null;
}

/** What the reading of a page knows about the names of its rows. */
interface NamesOfPage {
  /** A name whose results are on the next line. */
  pending: LabCells | null;
  gap: number;
  table: LabTable | null;
  named: Named | null;
}

/** Maximum number of words of a line that ends a name. */
const MAX_WORDS = 4;
/** A name's last line is at most so many of its heights below its result. */
const MAX_BELOW = 2.2;
const SAME_EDGE = 0.02;

/** The material in brackets below a name: "(sang veineux)", "(Serum)". */
const MATERIAL = new RegExp(
  [
    String.raw`^\((?:(?:venöses |kapillar)?(?:voll)?blut|serum|plasma|(?:spontan|morgen|sammel)?urin|`,
    String.raw`(?:whole |venous |capillary )?blood|urine|sérum|sang(?: veineux| total| capillaire)?|urines?|siero|sangue(?: venoso| intero| capillare)?|`,
    String.raw`(?:edta|citrat|heparin|li-heparin)\p{L}*(?:[ -]\p{L}+)?|plasma \p{L}+)\)$`,
  ].join(''),
  'iu',
);

/**
 * Completes a name with the line above its results, and returns where the name begins. `soit 81 µmol/L` repeats the
 * result above in another unit.
 */
export function completeName(cells: LabCells, { pending }: NamesOfPage, last: FoundLabResult | null): Named {
  if (last && isOtherUnit(cells.name)) cells.name = last.test_name_original;
  const own: Named = { x: cells.nameToken?.from ?? cells.line.bbox[0], y: cells.line.y, above: null };
  if (!pending || cells.values.length === 0) return own;
  if (cells.name === '') {
    Object.assign(cells, { name: pending.name, nameToken: pending.nameToken });
    return { x: pending.nameToken?.from ?? own.x, y: own.y, above: pending.line };
  }
  if (
    /^[(\p{Ll}]/u.test(cells.name) &&
    (!isKnownTest(cells.name) || isNameOfTest(`${pending.name} ${cells.name}`)) &&
    pending.line.segments.length === 1 &&
    pending.name.split(' ').length <= PANEL_WORDS
  )
    cells.name = `${pending.name} ${cells.name}`;
  return own;
}

/**
 * Appends the rest of a name that was broken into two lines to a complete row. The rest begins in lower case or with a
 * bracket, or makes the name of another test where the result is printed between the lines: "Hemoglobin" and "A1c".
 */
export function continueName(row: FoundLabResult | undefined, line: Line, page: NamesOfPage): boolean {
  const [segment] = line.segments;
  const { gap, table, pending, named } = page;
  if (!row || !named || !segment || gap > 0 || !table || line.segments.length > 1 || !pending) return false;
  if (segment.words.length > MAX_WORDS || /[.!?]$/.test(segment.text) || MATERIAL.test(segment.text)) return false;
  const longer = `${row.test_name_original} ${segment.text}`;
  const isLower = /^[(\p{Ll}]/u.test(segment.text) && !/\d/.test(segment.text);
  const isBetween = named.above !== null && isAsFarBelow(line, named, named.above);
  if (!isLower && !(isBetween && isNameOfTest(longer)) && !IS_GLYCATED.test(longer)) return false;
  if (line.y - named.y > MAX_BELOW * line.h || Math.abs(segment.bbox[0] - named.x) > SAME_EDGE) return false;
  row.test_name_original = cleanName(longer);
  return true;
}

/** "Hemoglobin" over "A1c", or what a scan makes of it. */
const IS_GLYCATED = /^(?:ha?em|häm|hém|em)oglobin[ae]?\sA[1lI|]c$/iu;

/** Whether a line is as far below a result as the line with the start of its name is above it. */
const isAsFarBelow = (line: Line, { y }: Named, above: Line): boolean => line.y - y < 2 * (y - above.y) + line.h / 2;

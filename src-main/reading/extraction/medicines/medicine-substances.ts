import { findStrength } from '../../../../src-shared/medical/dose.ts';
import type { FoundMedication } from '../extraction.ts';
import type { Line } from '../layout/lines.ts';
import { isDirections } from './medicine-directions.ts';
import { isForm } from './medicine-names.ts';

/** "principio attivo: bisoprololo", "Wirkstoff: Ramipril" below its brand. */
const LABELLED_SUBSTANCE = new RegExp(
  [
    String.raw`^(?:wirkstoff|active ingredient|generic(?: name)?|principe actif|substance active|dci|principio attivo)`,
    String.raw`\s*:\s*(\p{L}[\p{L}\s/+-]{2,60})$`,
  ].join(''),
  'iu',
);

/** Adds the substance that a line below its brand states; false for other lines. */
export function takeLabelledSubstance(row: FoundMedication | undefined, line: Line): boolean {
  const substance = LABELLED_SUBSTANCE.exec(line.text.trim())?.[1];
  if (substance === undefined || !row) return false;
  row.active_ingredient_original ??= substance;
  return true;
}

/** "Amlodipin, Tablette" below "Norvasc 5 mg", "paracétamol - sachet": German substances have a capital like brands. */
const SUBSTANCE_AND_FORM = /^(\p{L}[\p{L}-]{3,}(?: [\p{L}-]+){0,2})(?:,| [-–·]) (\p{L}[\p{L} ]{3,})$/u;

/** Adds the substance and form that a line below its row states alone; false for other lines. */
export function takeSubstanceAndForm(row: FoundMedication, line: Line, next: Line | undefined): boolean {
  const [, substance, form] = SUBSTANCE_AND_FORM.exec(line.text) ?? [];
  const isOfRow = row.dosage !== null && row.active_ingredient_original === null;
  if (!substance || !form || !isForm(form) || !isOfRow) return false;
  if (next !== undefined && startsRow(next) && !isNearer(line, row, next)) return false;
  row.active_ingredient_original = substance;
  row.form ??= form;
  return true;
}

/** Whether a line is clearly nearer to the row above it than to the next one. */
export const isNearer = (line: Line, above: FoundMedication | undefined, next: Line): boolean =>
  above?.place?.page === line.page && (line.y - above.place.bbox[1]) * NEARER < next.y - line.y;
const NEARER = 1.2;

/** Whether a line begins with a brand and states its strength. */
export const startsRow = (line: Line): boolean =>
  findStrength(line.text) !== null &&
  /^(?:\d{1,2}[.)]?\s+)?\p{Lu}\p{L}{2}/u.test(line.text) &&
  !isDirections(line.text);

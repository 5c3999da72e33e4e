import { STREET_PRINT } from '../languages/facility-words.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findDoctors } from './doctor-names.ts';
import { nameStrength } from './facility-names.ts';

/** "8000 Zürich", "Truro TR1 2XH", "Tucson, AZ 85701". */
const TOWN = /^(?:[A-Z]{1,2}-)?\d{4,5}\s+\p{Lu}|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b|,\s*[A-Z]{2}\s+\d{5}\b/u;

/** Vertical position of the recipient in a window envelope, as fractions of the page height. */
const WINDOW = { from: 0.1, to: 0.42 };
/** A letter goes on below its address; a stamp is at the end of its paper. */
const MIN_LINES_OF_LETTER = 5;
const SALUTATION_ALONE = new RegExp(
  [
    String.raw`^(?:herrn?|frau|mr|mrs|ms|miss|madame|monsieur|mme|m|egr|egregio|gent|gentile|spett|an|to|attn|`,
    String.raw`à)\.?(?: (?:dr|dott|kollegin|kollege)\.?)?$`,
  ].join(''),
  'i',
);

/**
 * Whether a name is that of the addressee: above a street or a town with a postal code outside the letterhead, below
 * "Herrn", above another town than that of the letterhead, or before the house in its line.
 */
export function inAddress(layout: Layout, line: Line, index: number, segment: Segment): boolean {
  if (line.page !== 1 || line.y > WINDOW.to || segment.words.length > 7) return false;
  const below = layout.lines.filter(({ page, y }) => page === 1 && y > line.y);
  if (below.length < MIN_LINES_OF_LETTER) return false;
  const near = (other: Line | undefined, step: number): Segment | undefined =>
    other && other.page === line.page && Math.abs(other.y - line.y) < 2.4 * step * line.h
      ? other.segments.find((s) => Math.abs(s.bbox[0] - segment.bbox[0]) < 0.02)
      : undefined;
  const under = [1, 2, 3].flatMap((step) => near(layout.lines[index + step], step) ?? []);
  const above = near(layout.lines[index - 1], 1);
  if (above !== undefined && SALUTED_ABOVE.test(above.text)) return true;
  if (isBeforeHouse(layout, index, segment) || isInOtherTown(layout, index, under)) return true;
  if (line.y < WINDOW.from) return false;
  const hasAddress = under.some(({ text }) => STREET_PRINT.test(text)) && under.some(({ text }) => TOWN.test(text));
  if (!hasAddress) return false;
  return above === undefined || SALUTATION_ALONE.test(above.text) || /[·•|–-]/.test(above.text);
}
const SALUTED_ABOVE = /^(?:Herrn|Herrn? \/ Frau|An(?: Herrn| Frau)?|Frau|Madame|Monsieur|Egr\.|Gent\.\S*)$/u;

/** "Dr Deirdre Halloran, Main Street Surgery, Cahir" below the name of another house. */
const isBeforeHouse = (layout: Layout, index: number, { text }: Segment): boolean => {
  const [doctor] = findDoctors(text);
  const rest = doctor?.from === 0 ? text.slice(doctor.to) : '';
  const first = layout.lines[0]?.segments[0]?.text ?? '';
  return (
    index > 0 &&
    /^,\s.*,\s\p{Lu}/u.test(rest) &&
    nameStrength(rest.slice(2).split(', ')[0] ?? '', 'other') > 0 &&
    findDoctors(first).length === 0 &&
    nameStrength(first, 'other') > 0
  );
};

/** "Praxis Dr. med. Hinrich Lorenzen, Eckernförde" below the name of a laboratory. */
export function isPracticeBelowHouse(layout: Layout, line: Line, { text }: Segment): boolean {
  const [doctor] = findDoctors(text);
  if (doctor === undefined || doctor.from === 0 || line.page !== 1 || line.y > WINDOW.to) return false;
  return (
    PRACTICE.test(text.slice(0, doctor.from)) &&
    layout.lines
      .slice(0, layout.lines.indexOf(line))
      .some((above) => findDoctors(above.text).length === 0 && nameStrength(above.segments[0]?.text ?? '', 'other') > 2)
  );
}
const PRACTICE =
  /^(?:(?:Gemeinschafts|Hausarzt|Arzt)?[Pp]raxis|Ordination|Cabinet(?: du)?|Studio(?: medico)?(?: del)?) $/u;

/** "Dre Coralie Genoud / Médecine interne / 1510 Moudon" below the address of a laboratory in another town. */
function isInOtherTown(layout: Layout, index: number, under: readonly Segment[]): boolean {
  const own = under.map(({ text }) => TOWN_ALONE.exec(text)?.[1]).find((town) => town !== undefined);
  if (own === undefined || findDoctors(layout.lines[0]?.text ?? '').length > 0) return false;
  const before = layout.lines.slice(0, index).map(({ text }) => TOWN_WITHIN.exec(text)?.[1]);
  return before.some((town) => town !== undefined) && !before.includes(own);
}
const TOWN_ALONE = /^(?:[A-Z]{1,2}-)?\d{4,5}\s+(\p{Lu}[\p{L}-]+)/u;
const TOWN_WITHIN = /(?<!\d)\d{4,5}\s+(\p{Lu}[\p{L}-]+)/u;

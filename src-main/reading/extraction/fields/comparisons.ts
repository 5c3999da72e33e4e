import type { DateRole } from '../languages/date-labels.ts';
import type { LayoutPage } from '../layout/layout.ts';

/** "Vergleich mit / Sonographie vom 14.05.2024": the sentence before a date names an earlier examination. */
export function isOfComparison(
  page: LayoutPage,
  { index, s, first }: { index: number; s: number; first: number },
): boolean {
  const line = page.lines[index];
  const before = (line?.segments[s]?.words.slice(0, first) ?? []).map(({ text }) => text).join(' ');
  const above = s === 0 && !/[.:;]\s/.test(before) ? (page.lines[index - 1]?.segments.at(-1)?.text ?? '') : '';
  const sentence = `${/[.:;]$/.test(above) ? '' : above} ${before}`.split(/[.;:]\s/).at(-1) ?? '';
  return COMPARED.test(sentence.slice(-MAX_COMPARED));
}
const MAX_COMPARED = 70;
const COMPARED = new RegExp(
  [
    String.raw`(?<!\p{L})(?:vergleich|verglichen|compar|confront[oa]|sovrapponibile|rispetto a|par rapport|superposable|`,
    String.raw`gegenüber|voruntersuch|vorbefund|unverändert zu|unchanged (?:from|since)|similar to|stable (?:from|since)|`,
    String.raw`inchangé depuis|invariat[oa] dal)`,
  ].join(''),
  'iu',
);
/** Roles that a date of a comparison loses. */
export const COMPARABLE: ReadonlySet<DateRole> = new Set([
  'examination',
  'visit',
  'treatment',
  'operation',
  'collected',
  'letter',
  'reported',
]);

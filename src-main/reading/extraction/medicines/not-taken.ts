import { findStrength } from '../../../../src-shared/medical/dose.ts';
import type { FoundMedication } from '../extraction.ts';
import { isGivenOnce, startsWith } from '../languages/assertion.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { afterHeading, endsList, isListHeading } from './medicine-headings.ts';

/** "… Perioperativ einmalig" at the end of a line: what the next one begins with was given then and there. */
export function isGivenInSentence(above: Line | undefined, { segments, page }: Line): boolean {
  if (!above || above.page !== page || segments.length > 1 || /[.:;]$/.test(above.text.trimEnd())) return false;
  return isGivenOnce(above.text.split(/[.;]\s/).at(-1) ?? '');
}

/** "Stopped" or "HOLD until seen" in a column of changes. */
export const isStoppedCell = ({ text, words }: Segment): boolean =>
  ((text.split(/\s[–—-]\s/)[0] ?? '').split(/\s+/).length <= MAX_WORDS_OF_STOP &&
    startsWith('stopped_after', text) > 0) ||
  (words.length <= MAX_WORDS_OF_HOLD && (HELD.test(text) || STOPPED_FOR.test(text)));
const MAX_WORDS_OF_STOP = 3,
  MAX_WORDS_OF_HOLD = 8;
/** "Stopped due to gout", "abgesetzt wegen Husten". */
const STOPPED_FOR = new RegExp(
  [
    String.raw`^(?:stop(?:ped|p)?|discontinued|abgesetzt|gestoppt|arrêté|stoppé|sospes[oa])[,:]? (?:due|because|on|by|`,
    String.raw`owing|since|wegen|weil|bei|durch|seit|am|pour|en raison|suite|le|depuis|par|per|a causa|il|dal)(?!\p{L})`,
  ].join(''),
  'iu',
);
/** "HOLD until creatinine rechecked", "pausiert bis zur Kontrolle". */
const HELD = new RegExp(
  [
    String.raw`^(?:on hold|hold(?! (?:if|for)\b)|held|withh[eo]ld|pause[dr]?|pausier(?:t|en)|suspend(?:u|ue|re|ed)|`,
    String.raw`sospes[oa]|sospendere|in pausa|en pause)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** Whether a line of its own says that the medicine above it on a card was stopped: "SOSPESO dal 10 gennaio 2025". */
export const isStopOf = (row: FoundMedication | undefined, { text, page, bbox }: Line): boolean =>
  row?.place?.page === page &&
  bbox[0] > row.place.bbox[0] - LEFT_OF_NAME &&
  STOPPED_FOR.test(text) &&
  /\d/.test(text) &&
  !text.endsWith(':') &&
  findStrength(text) === null;
const LEFT_OF_NAME = 0.02;

/** "Allergies: penicillin 1 g (rash)". */
export const isAllergy = ({ text }: Line): boolean => startsWith('allergy', text) > 0;

/** The left edge of a label that heads medicines not taken, with the first of them beside it; null for other lines. */
export function notTakenLabel({ segments }: Line): number | null {
  const [label, value] = segments;
  if (!label || !value || findStrength(label.text) !== null || REACTION.test(value.text)) return null;
  const cue = Math.max(startsWith('stopped', label.text), startsWith('allergy', label.text));
  return cue > 0 && label.words.length <= cue + MAX_HEADING_REST ? label.bbox[0] : null;
}

/** Whether a line has nothing at the left edge where the labels of the form are. */
export const continuesForm = ({ segments }: Line, labels: number | null): boolean =>
  labels !== null && (segments[0]?.bbox[0] ?? 1) > labels + LABEL_WIDTH;
const LABEL_WIDTH = 0.03;

/** A heading has at most this many words beside those that make it one. */
const MAX_HEADING_REST = 3;

/** What goes on with "Allergies" as a heading: "and adverse reactions"; "Allergie pénicilline" is a field. */
const MORE_OF_HEADING =
  /^(?:$|[&+/(:–—-]|(?:and|or|to|und|oder|gegen|et|ou|aux?|e|o|ai|known|bekannt|connues?|note)(?!\p{L}))/iu;
/** The second column of a table of allergies. */
const REACTION = /^(?:r[eé]actions?|reaktion(?:en)?|reazion[ei]|severity|schweregrad|gravit[àé])(?!\p{L})/iu;

/** The end of a sentence whose beginning is in the line above. */
const SENTENCE_END = /^\p{Ll}.*\p{Ll}{2}\.$/u;

/** Whether a line is in a list of medicines that are no longer taken or not tolerated; other headings end the list. */
export function isNotTaken(line: Line, before: boolean): boolean {
  const { words } = line;
  // "5. Arrêtés"
  const text = line.text.replace(/^\d{1,2}[.)]\s+/u, '');
  const cue = Math.max(startsWith('stopped', text), startsWith('allergy', text));
  // "Allergies: erythromycin" is a field of its own, not a heading.
  const allergy = startsWith('allergy', text);
  const others = text.trim().split(/\s+/).slice(allergy).join(' ');
  if (allergy > 0 && (/:\s*\S/.test(text) || !(MORE_OF_HEADING.test(others) || REACTION.test(others)))) return before;
  // "stopped in May." is the end of a sentence.
  if (cue > 0 && SENTENCE_END.test(text)) return before;
  if (cue > 0) return words.length <= cue + MAX_HEADING_REST && findStrength(text) === null;
  const isHeading =
    isListHeading(text) ||
    afterHeading(line) !== null ||
    endsList(text) ||
    startsWith('taken', text) > 0 ||
    (text.trimEnd().endsWith(':') && words.length <= 2 * MAX_HEADING_REST);
  return before && !isHeading;
}

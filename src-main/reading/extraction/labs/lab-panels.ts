import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { findDoctors } from '../fields/doctor-names.ts';
import { findPartyLabels } from '../fields/parties.ts';
import { DATE_LABELS } from '../languages/date-labels.ts';
import { STREET_PRINT } from '../languages/facility-words.ts';
import type { PartyRole } from '../languages/party-labels.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { isKnownTest } from './lab-words.ts';

/** Maximum number of words of the heading of a panel. */
export const PANEL_WORDS = 6;
const MAX_STATEMENT_WORDS = 8;
const STATED_UNIT = new RegExp(
  [
    String.raw`(?:concentrations?|values?|results?|konzentrationen|werte|angaben|resultate|ergebnisse|einheit|valeurs?|`,
    String.raw`résultats?|concentrations?|valori|risultati|concentrazioni|units?|unités?|unità|mhk|mic|cmi|\p{L}*hemmkonzentration(?:en)?)[^\d]{0,30}?`,
    String.raw`(?:\s(?:in|en)|:)\s+([^\s;,]+)$`,
  ].join(''),
  'iu',
);
/** "Elektrolyte (mmol/l)", "Enzymes [U/L, 37 °C]". */
const UNIT_IN_BRACKETS = /^(\p{L}[^\d([]*?)\s*[([]([^)\]]+)[)\]]\s*:?$/u;
/** "Lipids, mmol/L", "Proteine in g/l", "Lipides en g/L". */
const UNIT_BEHIND = /^(\p{L}[^\d,]*?)(?:,\s*|\s+(?:in|en)\s+)(\S+)$/u;
const MAX_DATED_WORDS = 10;
/** Headings of results: "Labor vom 3.4.2024", "Bilan biologique du …", "Blood tests (3 April 2024)". */
const RESULTS_HEADING = new RegExp(
  [
    String.raw`^\W*(?:(?:aktuelles?|letztes|current|latest|last|recent|`,
    String.raw`relevante?s?|auswahl|ultimi|derniers?|altri|weitere|autres|other)\s+)?(?:labor(?!at)\p{L}*|`,
    String.raw`blutwerte|blutbild|blutuntersuchung|laboratory (?:results|tests|values|data|findings)|lab (?:results|tests|values)|`,
    String.raw`labs|bloods|blood (?:tests|results|work)|bilan (?:biologique|sanguin|de sortie|d['’]entrée|d['’]admission)|`,
    String.raw`biologie|analyses? (?:sanguines?|de sortie|d['’]entrée)|laboratory(?= (?:on|at)\b)|`,
    String.raw`(?:esami|analisi) (?:ematochimic[ih]e?|ematic[ih]e?|di laboratorio|del sangue|alla|in|del|dell(?=['’])|`,
    String.raw`all(?=['’])|eseguit[ie])|ematochimici|laboratorio|`,
    // "Esami (08/03/2026):"
    String.raw`(?:esami|analisi|examens|analyses|tests|results|résultats|risultati|werte)(?=\s(?:del |vom |du |of |from )?\(?\d))(?!\p{L})`,
  ].join(''),
  'iu',
);
/** Words of a report whose date is the day of its printing. */
const REPORT_WORD =
  /befund|bericht|report|rendu|rapport|referto|relazione|auftrag|order|druck|print|received|eingang/iu;

/** A line without a number, such as "All concentrations in mmol/l", "Valeurs en g/L" or "Valori in mg/dL". */
export function statedUnit({ text, words }: Line): string | null {
  const unit = STATED_UNIT.exec(text)?.[1]?.replace(/[.)]$/, '') ?? null;
  return unit !== null && words.length <= MAX_STATEMENT_WORDS && isUnit(unit) ? unit : null;
}

/** The unit that a heading states for the rows below it; null for other lines and for names of tests. */
export function unitOfPanel({ segments, text }: Pick<Line, 'segments' | 'text'>): string | null {
  if (segments.length > 1) return null;
  const [, name = '', inside = ''] = UNIT_IN_BRACKETS.exec(text.trim()) ?? UNIT_BEHIND.exec(text.trim()) ?? [];
  if (name === '' || name.split(' ').length > PANEL_WORDS || isKnownTest(name)) return null;
  return (
    inside
      // "Chemistry (all in mmol/L)", "Liver group (ALT and ALP in U/L)"
      .replace(/^.*\s(?:in|en)\s/u, '')
      .split(/[,;]\s*/)
      .find((part) => isUnit(part.trim(), { inColumn: part.trim() === '%' }))
      ?.trim() ?? null
  );
}

/** Whether a line is the heading of results in a letter or report. */
export const isResultsHeading = ({ segments, text, words }: Line): boolean =>
  segments.length === 1 && words.length <= MAX_DATED_WORDS && RESULTS_HEADING.test(text) && !REPORT_WORD.test(text);

/** The date in a heading of results, such as "Labor bei Entlassung (09.11.2024)"; null for other lines. */
export const dateOfPanel = (line: Line, ctx: RowContext): string | null =>
  isResultsHeading(line) ? dayOf(line.text, ctx) : null;

const findDateLabels = createPhraseFinder(DATE_LABELS);

/**
 * The first date of a text that is not a birth date: of "Werte von Ida Muster, geb. 3.4.1950, vom 7.5.2024" the second.
 * YYYY-MM-DD, or null.
 */
export function dayOf(text: string, { parseDate }: RowContext): string | null {
  const words = text.split(' ');
  const tokens = tokensOf(words.map((word) => ({ text: word })));
  const birth = findDateLabels(tokens).find(({ role }) => role === 'birth');
  if (!birth) return parseDate(text);
  const before = parseDate(words.slice(0, tokens[birth.from]?.word).join(' '));
  if (before !== null) return before;
  const behind = words.slice((tokens[birth.to - 1]?.word ?? 0) + 1);
  const born = parseDate(behind.join(' '));
  for (let at = 1; at < behind.length; at += 1) {
    const day = parseDate(behind.slice(at).join(' '));
    if (day !== born) return day;
  }
  return null;
}

/** The day in the last sentence of a text that has one: "Seen on 3 May 2024. Bloods on 2 May 2024:". */
export function dayOfSentence(text: string, ctx: RowContext): string | null {
  const sentences = text.split(/(?<=\p{L}{2}|\d{4}|\))[.;]\s+(?=\p{Lu})/u);
  return sentences.reduceRight<string | null>((day, sentence) => day ?? dayOf(sentence, ctx), null);
}

/** A short line alone at the left that is the heading of the rows below. */
export function panelOf(line: Line, page: LayoutPage, index: number): string | null {
  const [segment] = line.segments;
  if (!segment || line.segments.length > 1 || segment.words.length > PANEL_WORDS || segment.bbox[0] > 0.6) return null;
  if (saysSomethingElse(segment)) return null;
  const next = page.lines[index + 1];
  return /^\p{L}/u.test(segment.text) &&
    !/[.:]$/.test(segment.text.replace(/:$/, '')) &&
    next !== undefined &&
    next.y - line.y < 4 * page.lineHeight
    ? segment.text.replace(/:$/, '')
    : null;
}

/** Excludes "Zuweiser: Dr. Meier", "Geb. 12.3.1961" and addresses as headings of results. */
function saysSomethingElse({ text, words }: Segment): boolean {
  return (
    /:\s/.test(text) ||
    /\d{1,2}[./]\d{1,2}[./]\d{2}/.test(text) ||
    STREET_PRINT.test(text) ||
    findDoctors(text).length > 0 ||
    isPersonLabel(words)
  );
}

const NO_PERSON = new Set<PartyRole>(['facility', 'specialty', 'case', 'sex']);
function isPersonLabel(words: Segment['words']): boolean {
  const [match] = findPartyLabels(tokensOf(words));
  return match?.from === 0 && !NO_PERSON.has(match.role);
}

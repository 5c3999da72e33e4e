import { confidenceOf, overlapShare, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { wordRange } from '../layout/words-in-text.ts';
import { DATE_LABELS, DATE_VERBS, type DateRole } from '../languages/date-labels.ts';
import { createPhraseFinder, tokensOf, type PhraseMatch } from '../languages/phrases.ts';
import { COMPARABLE, isOfComparison } from './comparisons.ts';
import { clauseBefore } from './date-clauses.ts';
import { isFree, type DateLabel as Label, type DateMention } from './date-mention.ts';
import { markColumns, underPlanHeading, underPlans } from './date-plans.ts';
import { findDates } from './date-text.ts';
import { COLUMNS_OF_TABLE, labelBelow, labelInStack } from './form-labels.ts';

const findLabels = createPhraseFinder(DATE_LABELS);
const findVerbs = createPhraseFinder(DATE_VERBS);
/** A label that is more words than this away from a date does not apply to it. */
const LABEL_REACH_WORDS = 7;
/** Minimum number of words before a date for its segment to count as a sentence. */
const PROSE_WORDS = 9;

/** Finds every date of the pages with its role. `today` is YYYY-MM-DD. */
export function findDateMentions(layout: Layout, today: string): DateMention[] {
  return layout.pages.flatMap((page) =>
    underPlans(
      page,
      markColumns(
        underPlanHeading(
          page,
          asBrokenStays(
            page,
            page.lines.map((line, i) => mentionsOfLine(page, line, i, today)),
          ),
        ),
      ),
    ),
  );
}

function mentionsOfLine(page: LayoutPage, line: Line, index: number, today: string): DateMention[] {
  return line.segments.flatMap((segment, s) => {
    const mentions = mentionsOfSegment(page, line, { index, s }, today);
    const continued = s === line.segments.length - 1 ? (page.lines[index + 1]?.segments[0]?.text ?? '') : '';
    return asStay(mentions, `${segment.text} ${continued}`);
  });
}

/** "25.03.2025 bis 03.04.2025 in unserer stationären Behandlung": what follows a period may say that it was a stay. */
function asStay(mentions: DateMention[], text: string): DateMention[] {
  return mentions.map((date, i): DateMention => {
    const [before, next] = [mentions[i - 1], mentions[i + 1]];
    const isEnd =
      date.role === 'until' && before !== undefined && isFree(before) && STAY_AFTER.test(text.slice(date.to));
    const isStart = isFree(date) && next?.role === 'until' && STAY_AFTER.test(text.slice(next.to));
    if (!isStart && !isEnd) return date;
    return { ...date, role: isStart ? 'admission' : 'discharge', strength: 0.9 };
  });
}
/** "… der sich vom 02.12.2025 / bis 11.12.2025 in unserer stationären Behandlung befand", broken within the period. */
function asBrokenStays({ lines }: LayoutPage, mentions: readonly DateMention[][]): DateMention[] {
  const roles = new Map<DateMention, DateRole>();
  lines.forEach((line, i) => {
    const [start, end] = [mentions[i]?.at(-1), mentions[i + 1]?.[0]];
    const [upper, lower] = [line.segments.at(-1)?.text ?? '', lines[i + 1]?.segments[0]?.text ?? ''];
    if (!start || !end || !isFree(start) || end.role !== 'until' || upper.slice(start.to).trim() !== '') return;
    if (!STARTS_WITH_END.test(lower) || !STAY_AFTER.test(`${lower.slice(end.to)} ${lines[i + 2]?.text ?? ''}`)) return;
    roles.set(start, 'admission').set(end, 'discharge');
  });
  return mentions.flat().map((date) => {
    const role = roles.get(date);
    return role ? { ...date, role, strength: 0.9 } : date;
  });
}
const STARTS_WITH_END = /^(?:bis(?: zum)?|to|until|through|au|jusqu['’]au|al|fino al)\s\d/iu;

/** "Ricovero   dal 30.09.2024". */
const isPreposition = (words: Segment['words']): boolean =>
  words.length === 1 && /^(?:dal|vom|von|from|du|il|am|le|on)$/iu.test(words[0]?.text ?? '');
const STAY_AFTER =
  /^[^.;]{0,60}(?:stationär|hospitali[esz]|in-?patient|ricover|degen[tz]|in our care|au sein de notre service)/iu;

function mentionsOfSegment(
  page: LayoutPage,
  line: Line,
  { index, s }: { index: number; s: number },
  today: string,
): DateMention[] {
  const segment = line.segments[s];
  if (!segment) return [];
  let after = 0;
  let previousRole: DateRole | null = null;
  return findDates(segment.text, today).map((date): DateMention => {
    const [first, end] = wordRange(segment.words, date.from, date.to);
    const words = segment.words.slice(first, end);
    const before =
      starBefore(segment, first) ??
      headOfBrowser(page, line, segment) ??
      labelBefore(segment, after, first) ??
      (previousRole === 'birth' ? labelBeforeBirth(segment, after) : null);
    const label =
      (before === null || before.role === 'letter'
        ? (verbAfter(page, { index, s }, end) ?? clauseBefore(page, { index, s, first }))
        : null) ??
      before ??
      (first === 0 || isPreposition(segment.words.slice(0, first))
        ? (labelBeside(line, s) ??
          labelInStack(page, index, segment, labelOf) ??
          labelAbove(page, index, segment) ??
          labelBelow(page, index, segment, labelOf) ??
          labelBroken(page.lines[index - 1]))
        : null) ??
      labelOfService(page, line, segment, { first, end }) ??
      placeBefore(segment, { first, end });
    after = end;
    const closes = first === 0 && label === null && endsOpen(page.lines[index - 1]);
    const isCompared = label?.role !== 'birth' && isOfComparison(page, { index, s, first });
    const isTail = label !== null && isTailOfSentence(segment, first, label);
    const own = isTail ? null : roleOf(asOf(label, page, { index, s, first }), closes, previousRole);
    const role = isCompared && (own === null || COMPARABLE.has(own)) ? 'referral' : own;
    previousRole = role;
    return {
      ...date,
      page: page.page,
      place: placeOf(page.page, words),
      confidence: confidenceOf(words),
      role,
      label: isTail ? undefined : label?.text,
      strength: isTail ? 0 : (label?.strength ?? 0),
      isCell: first === 0,
      inProse: isTail || (isProse(segment) && !isField(segment, first, label)),
      inColumn: isRowOfMedicine(line),
      y: line.y,
    };
  });
}

/** "Nitrofurantoin 100 mg capsule   1 twice daily   Completed 03/14/2026" dates its medicine, not the paper. */
const isRowOfMedicine = ({ segments, text }: Line): boolean =>
  segments.length > 2 && /\d ?(?:mg|mcg|µg) (?:tabl|caps|kaps|comp|cp|film|gél|inh|spray)/iu.test(text);

/** Whether a segment has the words of a sentence; dashes between its parts are none. */
const isProse = ({ words }: Segment): boolean =>
  words.filter(({ text }) => /[\p{L}\d]/u.test(text)).length >= PROSE_WORDS;

/** "Reported 04/03/2026 22:41 by Dr Paul Gormley, Radiology SpR" is a field, however many words follow. */
const isField = ({ words }: Segment, first: number, label: Label | null): boolean =>
  label !== null &&
  FIELD_ROLES.has(label.role) &&
  words
    .slice(0, first)
    .map(({ text }) => text)
    .join(' ')
    .replace(/[:;,]+$/, '') === label.text;
const FIELD_ROLES = new Set<DateRole>(['collected', 'received', 'reported', 'printed']);

/** The role of a label; "au 20.04.2026" alone, without the start of a period, is the day of the paper. */
function asOf(
  label: Label | null,
  page: LayoutPage,
  { index, s, first }: { index: number; s: number; first: number },
): DateRole | null {
  if (label?.role !== 'until' || !/^(?:au|al)$/i.test(label.text) || first !== 1) return label?.role ?? null;
  const line = page.lines[index];
  const before = `${page.lines[index - 1]?.text ?? ''} ${line?.segments
    .slice(0, s)
    .map(({ text }) => text)
    .join(' ')}`;
  return /\d[./-]\d|(?:19|20)\d\d/.test(before) ? 'until' : 'letter';
}

/**
 * The last line of a paragraph is short, but in "… department on 6 August 2023." the word "on" is not a label. In
 * "Lyon, le 6 août", "le" is one.
 */
function isTailOfSentence(segment: Segment, first: number, label: Label): boolean {
  const before = segment.words[first - label.text.split(' ').length - 1]?.text ?? '';
  // "Ionogramme le 21/02/2025" is not "Lyon, le 21/02/2025" or "Fait à Lyon le 21/02/2025".
  if (/^(?:le|il)$/.test(label.text) && /\p{L}$/u.test(before) && !/^(?:Fait|Redatto|Firmato)\b/u.test(segment.text))
    return true;
  return (
    label.role === 'letter' &&
    /^(?:on|le|il|li|den|as of)$/i.test(label.text) &&
    /^\p{Ll}[\p{L}'’-]*$/u.test(segment.words[first - label.text.split(' ').length - 1]?.text ?? '')
  );
}

/** Whether the period of a line continues in the next line: "… from work from 01/16/2020 through". */
const endsOpen = (line: Line | undefined): boolean =>
  line !== undefined &&
  /\d{2}[ ,]+(?:through|thru|until|till|to|bis(?: zum| einschließlich| einschliesslich)?|au|jusqu['’]?au|al|fino al)$/iu.test(
    line.text.trim(),
  );

/** The role of a date by its label; the role of the end of a period follows from its start. */
function roleOf(labelled: DateRole | null, closes: boolean, previous: DateRole | null): DateRole | null {
  if (closes) return 'until';
  return labelled === 'until' ? endOf(previous) : labelled;
}

/** The role of the second date of "from … to …", given the role of the first. */
function endOf(start: DateRole | null): DateRole | null {
  if (start === 'admission' || start === 'stay') return 'discharge';
  return start === 'incapacity' ? 'validity' : (start ?? 'until');
}

/** "*04.02.1977": a star in front of a date means birth. */
function starBefore({ words }: Segment, first: number): Label | null {
  const isBirth = /^\*\d/u.test(words[first]?.text ?? '') || words[first - 1]?.text === '*';
  return isBirth ? { role: 'birth', text: '*', strength: 1 } : null;
}

/** Browsers print day and time into the upper left corner of each page: "10/20/2025, 9:41 PM". */
function headOfBrowser(page: LayoutPage, line: Line, segment: Segment): Label | null {
  const isHead = line === page.lines[0] && segment === line.segments[0] && BROWSER_TIME.test(segment.text);
  return isHead ? { role: 'printed', text: '', strength: 1 } : null;
}
const BROWSER_TIME = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?$/i;

/** The label in the same segment, between the previous date (or the start of the segment) and this date. */
function labelBefore(segment: Segment, from: number, to: number): Label | null {
  // "Range 13 to 150 · Normal · 12 Feb 2025": a dot ends what is before it.
  const dot = segment.words.findLastIndex(({ text }, i) => i < to && text === '·');
  const start = Math.max(from, to - LABEL_REACH_WORDS, dot + 1);
  // "J’ai examiné ce jeudi 6 mars 2025": the day of the week is between label and date.
  const words = segment.words.slice(start, to).filter(({ text }) => !WEEKDAY.test(text));
  const match = bestLabel(findLabels(tokensOf(words)));
  if (!match) return null;
  const tokens = tokensOf(words);
  const text = words
    .slice(tokens[match.from]?.word ?? 0, (tokens[match.to - 1]?.word ?? 0) + 1)
    .map((w) => w.text)
    .join(' ');
  const between = words.slice((tokens[match.to - 1]?.word ?? 0) + 1);
  if (match.role !== 'birth' && NAME_WITH_COMMA.test(between.map((word) => word.text).join(' '))) return null;
  const distance = between.length;
  return { role: match.role, text: text.replace(/[:;,]+$/, ''), strength: distance <= 1 ? 1 : 1 - 0.08 * distance };
}

const WEEKDAY = new RegExp(
  [
    String.raw`^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|`,
    String.raw`(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|(?:luned|marted|mercoled|gioved|venerd)[iì]|sabato|`,
    String.raw`domenica),?$`,
  ].join(''),
  'iu',
);

/** "Rapporto di degenza: Muster Ida, 03.04.1950": the name is between the title and the birth date. */
const NAME_WITH_COMMA = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){1,2},$/u;

/** "Für ärztliche Leistungen bei Ida Muster, geb. 3.4.1950, am 7.5.2024": the birth date is between label and date. */
function labelBeforeBirth(segment: Segment, endOfBirth: number): Label | null {
  const tokens = tokensOf(segment.words.slice(0, endOfBirth));
  const birth = findLabels(tokens).findLast(({ role }) => role === 'birth');
  const label = birth ? labelBefore(segment, 0, tokens[birth.from]?.word ?? 0) : null;
  return label?.role === 'letter' ? null : label;
}

/** Words between a date and the verb of its sentence. */
const MAX_WORDS_TO_VERB = 7;
const DAY_OF_SENTENCE = /^(?:am|vom|on|le|du|il|del|in data)$/iu;
const END_OF_CLAUSE = /[.;:]$|^(?:and|und|et|e|then|dann|puis|poi)$|\d/u;

/** The verb behind the date of a sentence, which may be in the next line: "die ich am 3. Mai 2024 untersucht habe". */
function verbAfter(page: LayoutPage, { index, s }: { index: number; s: number }, end: number): Label | null {
  const line = page.lines[index];
  const segment = line?.segments[s];
  if (
    !line ||
    !segment ||
    !isProse(segment) ||
    !segment.words.slice(0, end).some(({ text }) => DAY_OF_SENTENCE.test(text))
  )
    return null;
  const isLast = s === line.segments.length - 1;
  const continued = isLast ? (page.lines[index + 1]?.segments[0]?.words ?? []) : [];
  const words = [...segment.words.slice(end), ...continued].slice(0, MAX_WORDS_TO_VERB);
  const stop = words.findIndex(({ text }) => END_OF_CLAUSE.test(text));
  const [verb] = findVerbs(tokensOf(stop < 0 ? words : words.slice(0, stop + 1)));
  return verb ? { role: verb.role, text: words[0]?.text ?? '', strength: 0.8 } : null;
}

/**
 * The nearest label wins, except that a plain "date" or "on" yields to a more specific word: "date of the last sample".
 */
function bestLabel(matches: PhraseMatch<DateRole>[]): PhraseMatch<DateRole> | undefined {
  const last = matches.at(-1);
  // In "Comparison with the examination of 12 March", the date is that of an earlier examination.
  if (last?.role === 'examination' || last?.role === 'visit' || last?.role === 'treatment')
    return matches.findLast((m) => m.role === 'referral') ?? last;
  if (last?.role !== 'letter') return last;
  return matches.findLast((m) => m.role !== 'letter' && m.role !== 'until') ?? last;
}

/** The label at the end of the line above, in a sentence that is broken before the date: "admitted on / 3.4.2024". */
function labelBroken(above: Line | undefined): Label | null {
  const segment = above?.segments.at(-1);
  if (!segment || !isProse(segment) || /[\d.,;:)]$/.test(segment.text)) return null;
  const label = labelBefore(segment, segment.words.length - 3, segment.words.length);
  return label && label.role !== 'letter' ? { ...label, strength: label.strength * 0.8 } : null;
}

/** Words that say that a line names a paper or an earlier service, not the service of the paper. */
const NO_SERVICE = new RegExp(
  [
    String.raw`lettre|courrier|rapport|compte|ordonnance|facture|certificat|brief|schreiben|bericht|befund|rechnung|`,
    String.raw`rezept|verordnung|zeugnis|attest|bescheinigung|letter|report|invoice|prescription|certificate|referto|`,
    String.raw`ricetta|fattura|relazione|lettera|labor|bilan|analys|blut|blood|sang|esami|plan|liste?\b|version|stand\b|`,
    String.raw`fassung|demande|richiesta|auftrag|weisung|form|gesetz|loi\b|decreto|unfall|accident|infortunio|letzte|`,
    String.raw`vor|prior|previous|earlier|pr[ée]c|ant[ée]r|dernier|last\b|bis\b|vaccin|impf|geb`,
  ].join(''),
  'iu',
);
const MAX_SERVICE_WORDS = 7;
/** A line below this fraction of the page is not the subject of the paper. */
const END_OF_HEAD = 0.45;

/** The name of a service before its day, as the subject of a paper: "Coloscopie du 14.10.2025", "EEG vom 3.4.2024". */
function labelOfService(
  page: LayoutPage,
  line: Line,
  segment: Segment,
  { first, end }: { first: number; end: number },
): Label | null {
  if (page.page !== 1 || line.y > END_OF_HEAD || end < segment.words.length || first > MAX_SERVICE_WORDS) return null;
  const before = segment.words.slice(0, first).map(({ text }) => text);
  const name = before.slice(0, -1).join(' ');
  if (!/^(?:du|vom|del|of|am|von)$/i.test(before.at(-1) ?? '')) return null;
  // "Ried, am 3.4.2024" and "Ried am 3.4.2024" name a place.
  if (name.endsWith(',') || (before.at(-1) === 'am' && before.length < 3)) return null;
  if (!/^\p{Lu}\p{L}+/u.test(name) || NO_SERVICE.test(name)) return null;
  return { role: 'examination', text: name, strength: 0.7 };
}

/** "Bassano del Grappa, 20/03/2025" is the day of the paper; a name may be printed so before a birth date. */
function placeBefore({ words }: Segment, { first, end }: { first: number; end: number }): Label | null {
  const before = words.slice(0, first).map(({ text }) => text);
  const isAlone = end === words.length || REFERENCE.test(words[end]?.text ?? '');
  const isPlace = isAlone && PLACE.test(before.join(' '));
  return isPlace ? { role: 'letter', text: before.join(' '), strength: 0.45 } : null;
}
/** What begins the reference of a letter behind its place and day: "Wismar, 2.2.2026   Ihr Patient …". */
const REFERENCE = /^(?:Ihre?n?|Betr|Betrifft|Re|Ref|Concerne|Objet|Oggetto|Patient(?:in)?|Paziente)(?:$|[.:])/u;
const PLACE = /^\p{Lu}[\p{L}'’.-]+(?: \p{L}[\p{L}'’.-]*){0,4},$/u;

/** A label in the segment to the left that contains nothing else. */
function labelBeside(line: Line, index: number): Label | null {
  const beside = line.segments[index - 1];
  if (!beside || beside.words.length > 6 || /\d{2}/.test(beside.text)) return null;
  const label = labelBefore(beside, 0, beside.words.length);
  if (label?.role === 'discharge' && isTitleOfLetter(beside)) return null;
  return label && { ...label, strength: label.strength * 0.95 };
}

/** "Courrier de sortie", "Entlassungsbericht": the day beside or below is that of the paper, not the end of the stay. */
const isTitleOfLetter = ({ text }: Segment): boolean => !text.trimEnd().endsWith(':') && TITLE_OF_LETTER.test(text);
const TITLE_OF_LETTER = new RegExp(
  [
    String.raw`^(?:lettre|courrier|rapport|compte[ -]rendu|lettera|relazione|discharge (?:letter|summary|report)|`,
    String.raw`(?:entlass|austritt)\p{L}*(?:brief|bericht))`,
  ].join(''),
  'iu',
);

/** A label in the segment directly above, in the same column, that contains nothing else. */
function labelAbove(page: LayoutPage, index: number, segment: Segment): Label | null {
  const line = page.lines[index];
  for (let i = index - 1; line && i >= Math.max(0, index - 2); i--) {
    const above = page.lines[i];
    if (!above || line.y - above.y > 3.2 * page.lineHeight) return null;
    const over = above.segments.find(
      (s) =>
        overlapShare(s.bbox[0], s.bbox[2], segment.bbox[0], segment.bbox[2]) > 0.4 &&
        Math.abs(s.bbox[0] - segment.bbox[0]) < 0.06,
    );
    if (!over) continue;
    if (over.words.length > 5 || /\d/.test(over.text)) return null;
    const label = labelBefore(over, 0, over.words.length);
    // "Date" above a column of a table dates its rows, not the paper.
    const isTable = Math.min(above.segments.length, line.segments.length) >= COLUMNS_OF_TABLE;
    if ((label?.role === 'letter' && isTable) || (label?.role === 'discharge' && isTitleOfLetter(over))) return null;
    return label && { ...label, strength: label.strength * 0.8 };
  }
  return null;
}
const labelOf = (segment: Segment): Label | null => labelBefore(segment, 0, segment.words.length);

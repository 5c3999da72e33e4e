import { findIcdCode } from '../../../../src-shared/medical/icd.ts';
import type { FoundDiagnosis } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isDenied, isOfRelative, isSuspected } from '../languages/assertion.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { boxAround, confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { loadWords } from '../../knowledge/words.ts';
import { readDiagnosesInProse } from './diagnosis-prose.ts';
import { isKnownDiagnosis, knownDiagnosisAt } from './known-diagnoses.ts';

const HEADINGS = loadWords('diagnosis-headings', ['diagnoses', 'assessed', 'other']);
const findHeadings = createPhraseFinder(HEADINGS);

/** Bullet or number in front of a list item. */
const BULLET = /^(?:[-•·*–—«»°¢¤oe+>▪■●#]|\(?\d{1,2}[.)]|[a-h][.)]|(?!V\.\s?a\.)[IVX]{1,4}[.)])\s+/u;
/** A longer item is a sentence about the patient, not a diagnosis. */
const MAX_ITEM_WORDS = 16;
/** If a list has more lines than this, its end was not recognized. */
const MAX_LIST_LINES = 25;
const NOT_A_DIAGNOSIS =
  /^(?:page|seite|tel|fax|patient|datum|date|data|none|keine|aucun|nessun|s\.|siehe|see\b|dr\.?\s|prof\.?\s|dott)/iu;
const PROSE_START = new RegExp(
  [
    String.raw`^(?:the|a|an|we|she|he|it|this|patient|die|der|das|wir|es|ein|eine|sie|er|le|la|les|nous|il|elle|un|`,
    String.raw`une|lo|gli|i)\s`,
  ].join(''),
  'iu',
);

/** German bills and letters print `A` after the code of a disease that was excluded. */
const EXCLUDED_CODE = /\d[)\]]?\s\(?A\)?(?:\s[LRB])?\s*$/u;
const STATE_AFTER = /^status\s+(?:post|nach|n\.|après|dopo|epilepticus)/iu;
/** Additions to a diagnosis, such as "Recurrence: …". */
const LABELLED_PART = /^\p{L}[\p{L}\s.]{1,30}:/u;

interface Heading {
  line: Line;
  index: number;
  role: 'diagnoses' | 'assessed' | 'other';
  /** Left edge of its column, 0 for the first of the page. */
  from: number;
  rest: string;
  restWords: Line['words'];
}

/** Returns the diagnoses of all pages: lists under their headings, and words with a code anywhere else. */
export function readDiagnoses(layout: Layout, ctx: RowContext): FoundDiagnosis[] {
  const { pages } = layout;
  const listed = pages.flatMap((page) => readPage(page, ctx, 'diagnoses'));
  const coded = listed.length > 0 ? listed : pages.flatMap((page) => byCode(page, ctx));
  const found = coded.length > 0 ? coded : withoutLists(pages, ctx);
  const seen = new Map<string, FoundDiagnosis>();
  for (const row of found) {
    const text = row.diagnosis_original;
    if (IS_DETAIL.test(text) || IS_SAME.test(text) || isDenied(text) || isSuspected(text) || isOfRelative(text))
      continue;
    const key = fold(text);
    const before = seen.get(key);
    if (!before) seen.set(key, row);
    else before.diagnosis_code ??= row.diagnosis_code;
  }
  return [...seen.values()];
}

/** Numbered items of an assessment that name known diseases, otherwise diseases in sentences. */
function withoutLists(pages: readonly LayoutPage[], ctx: RowContext): FoundDiagnosis[] {
  const assessed = pages
    .flatMap((page) => readPage(page, ctx, 'assessed'))
    .filter((row) => isKnownDiagnosis(row.diagnosis_original));
  return assessed.length > 0 ? assessed : pages.flatMap(readDiagnosesInProse);
}

/** "Diagnosed in 2021, stable" is about the diagnosis above. */
const IS_DETAIL =
  /^(?:diagnosti(?:qué|cat)|diagnosed|erstdiagnose|seit|bekannt seit|since|depuis|dal|nota dal)(?!\p{L})/iu;

/** "Postoperative diagnosis: same". */
const IS_SAME =
  /^(?:the )?(?:same|idem|dito|dieselbe|gleich|unverändert|le même|identique|stessa|invariata|as above)\.?$/iu;

/** A line that begins with a heading, alone or followed by a colon. */
function headingOf(line: Line, index: number, ctx: RowContext): Heading | null {
  const segment = line.segments[0];
  if (!segment || segment.bbox[0] > MAX_LEFT) return null;
  const tokens = tokensOf(segment.words);
  const match = findHeadings(tokens)[0];
  if (!match || match.from > 1 || (match.from === 1 && !/^\W*\d*\W*$/.test(segment.words[0]?.text ?? ''))) return null;
  // Only in French is "Diagnostics" on a separate line a heading; elsewhere it is part of a hospital's name.
  if (
    ctx.language !== 'fr' &&
    line.words.length === 1 &&
    tokens[match.from]?.text === 'diagnostics' &&
    !segment.text.endsWith(':')
  )
    return null;
  const end = (tokens[match.to - 1]?.word ?? 0) + 1;
  const printed = segment.words
    .slice(0, end)
    .map((word) => word.text)
    .join(' ');
  const after = line.segments
    .filter((part, i) => i === 0 || !LABELLED_PART.test(part.text))
    .flatMap(({ words }) => words)
    .slice(end)
    .filter((word) => word.text !== ':');
  // A heading in a separate column needs no colon.
  const apart = end === segment.words.length && line.segments.length > 1;
  const hasColon = apart || printed.endsWith(':') || segment.words[end]?.text === ':';
  const shortTail =
    after.length <= 3 &&
    after.every((word) => /^[(/\p{L}\d]/u.test(word.text)) &&
    !after.some((word) => findIcdCode(word.text));
  // "3. Status post appendectomy" is an item.
  if (
    after.length > 0 &&
    !hasColon &&
    (!shortTail || match.from > 0 || BULLET.test(segment.text) || STATE_AFTER.test(segment.text))
  )
    return null;
  const isTailOfHeading = after.length > 0 && !hasColon;
  return {
    line,
    index,
    from: 0,
    role: match.role,
    rest: isTailOfHeading ? '' : after.map((word) => word.text).join(' '),
    restWords: isTailOfHeading ? [] : after,
  };
}

/** A heading further right is that of a value beside it. */
const MAX_LEFT = 0.6;
/** Words of two columns are at most this far left of the heading of theirs. */
const COLUMN_SLACK = 0.02;

/** Items may be indented. */
const isUnder = (x: number, heading: number): boolean => x > heading - COLUMN_SLACK && x < heading + MAX_INDENT;
const MAX_INDENT = 0.05;
/** Of so many lines under a heading in a column, at least two are in it. */
const LINES_OF_COLUMN = 4;

/** The words of a line from a left edge on; null if there are none. */
function lineFrom(line: Line, from: number): Line | null {
  if (from === 0) return line;
  const segments = line.segments.filter(({ bbox }) => bbox[0] >= from - COLUMN_SLACK);
  const words = segments.flatMap((segment) => segment.words);
  if (words.length === 0) return null;
  return { ...line, segments, words, text: segments.map(({ text }) => text).join('  '), bbox: boxAround(words) };
}

/** A heading in a column to the right, with a colon or a list under it: the left one has the letterhead. */
function headingInColumn(page: LayoutPage, line: Line, index: number, ctx: RowContext): Heading | null {
  for (const segment of line.segments.slice(1)) {
    const hasList =
      page.lines
        .slice(index + 1, index + 1 + LINES_OF_COLUMN)
        .filter(({ segments }) => segments.some(({ bbox }) => isUnder(bbox[0], segment.bbox[0]))).length > 1;
    if (segment.bbox[0] > MAX_LEFT || !(segment.text.trimEnd().endsWith(':') || hasList)) continue;
    const rest = lineFrom(line, segment.bbox[0]);
    const heading = rest && headingOf(rest, index, ctx);
    if (heading?.role === 'diagnoses' && heading.rest === '') return { ...heading, from: segment.bbox[0] };
  }
  return null;
}

function readPage(page: LayoutPage, ctx: RowContext, role: 'diagnoses' | 'assessed'): FoundDiagnosis[] {
  const rows: FoundDiagnosis[] = [];
  const notes = headingsOfNotes(page);
  const headings = page.lines.flatMap(
    (line, index) => notes.get(index) ?? headingOf(line, index, ctx) ?? headingInColumn(page, line, index, ctx) ?? [],
  );
  for (const heading of headings.filter((one) => one.role === role)) {
    const next = headings.find(({ index }) => index > heading.index)?.index ?? page.lines.length;
    if (heading.rest !== '' && role === 'diagnoses')
      rows.push(...itemsOf(heading.rest, heading.line.page, heading.restWords));
    const isItem = (line: Line): boolean => role === 'diagnoses' || BULLET.test(line.text);
    const lines = page.lines
      .slice(heading.index + 1, Math.min(next, heading.index + 1 + MAX_LIST_LINES))
      .flatMap((line) => lineFrom(line, heading.from) ?? [])
      .filter(isItem);
    const end = heading.from > 0 ? lines.findIndex(beginsOtherPassage) : -1;
    rows.push(...readList(end < 0 ? lines : lines.slice(0, end), heading, page, heading.rest !== ''));
  }
  return rows;
}

/** "Family history Mother: stroke" in the column of a list of diagnoses. */
const beginsOtherPassage = ({ words }: Line): boolean => {
  const heading = findHeadings(tokensOf(words))[0];
  return heading?.from === 0 && heading.role !== 'diagnoses';
};

const NOTE = /^(?:([SOP])|(A)|(A\/P)):/u;
/** Lines "S:", "O:", "A:" and "P:" of a note, at least three of them: what is behind "A:" is the diagnosis. */
function headingsOfNotes(page: LayoutPage): Map<number, Heading> {
  const found = page.lines.flatMap((line, index) => {
    const letter = NOTE.exec(line.text)?.[0];
    return letter === undefined ? [] : [{ line, index, letter }];
  });
  if (new Set(found.map(({ letter }) => letter)).size < MIN_NOTES) return new Map();
  return new Map(
    found.map(({ line, index, letter }): [number, Heading] => {
      const isAssessed = letter.startsWith('A');
      const printed = line.words.map(({ text }) => text).join(' ');
      const rest = isAssessed ? printed.slice(letter.length).trim() : '';
      return [index, { line, index, from: 0, role: isAssessed ? 'diagnoses' : 'other', rest, restWords: line.words }];
    }),
  );
}
const MIN_NOTES = 3;

/**
 * Reads the lines under a heading until prose, a wide gap or another column begins. `begun` means that the first item
 * is beside the heading.
 */
function readList(lines: Line[], heading: Heading, page: LayoutPage, begun: boolean): FoundDiagnosis[] {
  const rows: FoundDiagnosis[] = [];
  let previous = heading.line,
    isMarked = false,
    numbered: number | null = null,
    bulleted: number | null = null;
  for (const line of lines) {
    const text = textOf(line.segments);
    if (numbered !== null && isDetail(line, numbered)) {
      previous = line;
      continue;
    }
    if (/^\s*\(?\d{1,2}[.)]\s/.test(text)) numbered = line.bbox[0];
    if (IS_ALTERNATIVE.test(text)) {
      previous = line;
      continue;
    }
    const gap = line.y - previous.y;
    const far = gap > (rows.length > 0 || begun ? 2.3 : 4.2) * Math.max(page.lineHeight, 0.008) + 0.004;
    const code = findIcdCode(text);
    const bullet = BULLET.test(text);
    if (far && !bullet && !code) break;
    if (line.words.length > MAX_ITEM_WORDS && !code) break;
    if ((PROSE_START.test(text) && line.words.length > 6 && !code) || NOT_A_DIAGNOSIS.test(text)) break;
    isMarked ||= bullet || code !== null;
    if (begun && !isMarked && !continuesItems(line, heading)) break;
    // In a bulleted list, a line that starts further left with a capital is the next heading.
    if (bulleted !== null && !bullet && !code && line.bbox[0] < bulleted + 0.006 && /^\p{Lu}/u.test(text)) break;
    if (bullet) bulleted ??= line.bbox[0];
    const last = rows.at(-1);
    if (last && !bullet && /^[\p{Ll}(]/u.test(text) && !(code && last.diagnosis_code)) join(last, text);
    else rows.push(...itemsOf(text, line.page, line.words));
    previous = line;
  }
  return rows;
}

/** Whether a line without a bullet is another item: under the first one beside the heading, or a known diagnosis. */
const continuesItems = ({ bbox, text, words }: Line, { rest, restWords }: Heading): boolean =>
  !NOT_A_DIAGNOSIS.test(rest) &&
  words.length <= MAX_WORDS_OF_NAME &&
  (isKnownDiagnosis(text) || Math.abs(bbox[0] - (restWords[0]?.x ?? 1)) < COLUMN_SLACK);
const MAX_WORDS_OF_NAME = 6;

/** "DD: Asthma": what it could be instead. */
const IS_ALTERNATIVE = new RegExp(
  [
    String.raw`^(?:DDx?|Differen[tz]ialdiagnosen?|Differential(?: diagnosis)?|Diagnostic différentiel|`,
    String.raw`Diagnosi differenziale)\s?[:.]`,
  ].join(''),
  'u',
);

function join(row: FoundDiagnosis, text: string): void {
  const code = findIcdCode(text);
  const cleaned = cleanText(text, code);
  if (cleaned) row.diagnosis_original = `${row.diagnosis_original} ${cleaned}`;
  row.diagnosis_code ??= code?.code ?? null;
}

/** The text of a line without its additions ("Recurrence: …"). */
const textOf = (segments: Line['segments']): string =>
  segments
    .filter((segment, i) => i === 0 || !LABELLED_PART.test(segment.text))
    .map((segment) => segment.text)
    .join(' ');

/** An indented dash under a numbered item adds a detail to that item. */
const isDetail = (line: Line, numbered: number): boolean =>
  /^[-–•·*]/u.test(line.words[0]?.text ?? '') && line.bbox[0] > numbered + 0.012 && findIcdCode(line.text) === null;

/** "Asthma. Past: appendicectomy": another label ends the list. */
const NEXT_LABEL = /\.\s+(?=\p{Lu}[\p{L} ]{2,30}:\s)/u;

/** "Hypertonie, Hyperlipidämie und Adipositas – Gicht": such signs separate items if each of them is known. */
function listedNames(text: string): string {
  if (findIcdCode(text) !== null) return text;
  return text
    .split(/;\s+/)
    .map((item) => {
      const words = item.split(/\s+/);
      if (knownDiagnosisAt(words, 0) === words.length) return item;
      const parts = item.split(/,\s+|\s+[–—-]\s+|\s+(?:und|sowie|and|et|e)\s+/u);
      return parts.length > 1 && parts.every(isKnownDiagnosis) ? parts.join('; ') : item;
    })
    .join('; ');
}

/** A line may contain several items: "1. Asthma; 2. Hypertonie", "Asthma (J45.9), Gicht (M10.9)". */
function itemsOf(text: string, page: number, words: Line['words']): FoundDiagnosis[] {
  return listedNames(text.split(NEXT_LABEL)[0] ?? '')
    .split(/\s*;\s+|\s+(?=\d[.)]\s+\p{Lu})|(?<=[A-Z]\d[\dA-B](?:\.\d{1,4})?\s?[GVZALRB]{0,2}[)\]]?),\s+(?=\p{L}{3})/u)
    .flatMap((part): FoundDiagnosis[] => {
      const code = findIcdCode(part);
      const cleaned = cleanText(part, code);
      if (!/\p{L}{3}/u.test(cleaned) || cleaned.length > 160 || (!code && NOT_A_DIAGNOSIS.test(cleaned))) return [];
      if (code && EXCLUDED_CODE.test(part)) return [];
      return [
        {
          diagnosis_original: cleaned,
          diagnosis_code: code?.code ?? null,
          confidence: Math.min(0.97, confidenceOf(words) * (code ? 0.97 : 0.85)),
          place: placeOf(page, words),
        },
      ];
    });
}

function cleanText(text: string, code: { from: number; to: number } | null): string {
  // German reports print the certainty of a diagnosis in a separate column: G, V, Z or A.
  const without = code
    ? `${text.slice(0, code.from)} ${text
        .slice(code.to)
        .replace(/\s[GVZA](?:\s[LRB])?\s*$/u, '')
        .replace(/^\s*[)\]]?\s+[-–—]\s+\p{Ll}.*$/u, '')}`
    : text;
  return without
    .replace(BULLET, '')
    .replace(/\(\s*(?:icd[\s-]*(?:10)?[^)]*)?\)|\[\s*\]/giu, ' ')
    .replace(/[,;:\s(]*\bicd\b[\s-]*(?:10)?(?:[\s-]*(?:gm|cm))?[\s:.-]*$/iu, '')
    .replace(/\(\s*$/u, '')
    .replace(/^\s*\)/, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:._–-]+|[\s,;:.([–-]+$/gu, '')
    .replace(BULLET, '')
    .trim();
}

/** "08.01.2026 C08.30 Forfait … 214.20": a tariff code on a bill. */
const BILLED = /^\d{1,2}[./]\d{1,2}[./]\d{2,4}\s.*\s\d[\d'’ ]*[.,]\d\d(?:\s?(?:€|CHF|EUR))?$/u;

/** Outside lists, words are a diagnosis only if they have a code. */
function byCode(page: LayoutPage, ctx: RowContext): FoundDiagnosis[] {
  return page.lines.flatMap((line) => {
    const text = line.segments.map((segment) => segment.text).join(' ');
    const code = findIcdCode(text);
    // Three characters are a code only at the end of labeled text: "Indikation: Benigne Prostatahyperplasie, N40".
    const isCode =
      code !== null &&
      (code.code.includes('.') ||
        /icd/i.test(text) ||
        ((/^[^:]{4,40}:\s/.test(text) || line.segments.length > 1) &&
          /[,(]\s?$/.test(text.slice(0, code.from)) &&
          text.slice(code.to).length <= 1));
    if (!code || line.words.length > MAX_ITEM_WORDS || !isCode || BILLED.test(text)) return [];
    const labelled = headingOf(line, 0, ctx);
    return itemsOf(labelled?.rest || text, line.page, line.words);
  });
}

import { findIcdCode } from '../../../../src-shared/medical/icd.ts';
import type { FoundDiagnosis } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isDenied, isOfRelative, isSuspected } from '../languages/assertion.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import {
  BULLET,
  COLUMN_SLACK,
  LABELLED_PART,
  beginsOtherPassage,
  headingInColumn,
  headingOf,
  headingsOfNotes,
  lineFrom,
  type Heading,
} from './diagnosis-headings.ts';
import { readDiagnosesInProse } from './diagnosis-prose.ts';
import { diagnosesStated, isLikeDiagnosis } from './assessments.ts';
import { isKnownDiagnosis, knownDiagnosisAt } from './known-diagnoses.ts';

/** A longer item is a sentence about the patient, not a diagnosis. */
const MAX_ITEM_WORDS = 16;
/** If a list has more lines than this, its end was not recognized. */
const MAX_LIST_LINES = 25;
const NOT_A_DIAGNOSIS = new RegExp(
  [
    String.raw`^(?:page|seite|tel|fax|patient|datum|date|data|none|keine|aucun|nessun|s\.|siehe|see\b|icd|dre?s?\.?\s|`,
    String.raw`prof\.?\s|dott|dear\s|sehr geehrte|liebe[rs]?\s(?:frau|herr|kolleg)|ch[eè]re?s?\s(?:conf|cons|ami|doct|mad|mons)|`,
    String.raw`egregi[oa]\s|gentile\s|gentilissim)`,
  ].join(''),
  'iu',
);
const PROSE_START = new RegExp(
  [
    String.raw`^(?:the|a|an|we|she|he|it|this|patient|die|der|das|wir|es|ein|eine|sie|er|le|la|les|nous|il|elle|un|`,
    String.raw`une|lo|gli|i)\s`,
  ].join(''),
  'iu',
);

/** German bills and letters print `A` after the code of a disease that was excluded. */
const EXCLUDED_CODE = /\d[)\]]?\s\(?A\)?(?:\s[LRB])?\s*$/u;
/** Returns the diagnoses of all pages: lists under their headings, and words with a code anywhere else. */
export function readDiagnoses(layout: Layout, ctx: RowContext): FoundDiagnosis[] {
  const { pages } = layout;
  const listed = pages.flatMap((page) => readPage(page, ctx, 'diagnoses'));
  const coded = listed.length > 0 ? listed : pages.flatMap((page) => byCode(page, ctx));
  const found = coded.length > 0 ? coded : withoutLists(pages, ctx);
  const seen = new Map<string, FoundDiagnosis>();
  for (const row of found) {
    const text = row.diagnosis_original;
    if (!isOwn(text)) continue;
    const key = fold(text);
    const before = seen.get(key);
    if (!before) seen.set(key, row);
    else before.diagnosis_code ??= row.diagnosis_code;
  }
  return [...seen.values()];
}

/** Whether a text names what the patient has, not what was excluded, is suspected or belongs to another. */
const isOwn = (text: string): boolean =>
  ![IS_DETAIL, IS_TREATMENT, HAS_NOT, IS_SAME].some((pattern) => pattern.test(text)) &&
  !isDenied(text) &&
  !isSuspected(text) &&
  !isOfRelative(text);

/** Items and statements of an assessment that name known diseases, and diseases in sentences. */
function withoutLists(pages: readonly LayoutPage[], ctx: RowContext): FoundDiagnosis[] {
  const assessed = pages
    .flatMap((page) => readPage(page, ctx, 'assessed'))
    .filter(({ diagnosis_original: text }) => isLikeDiagnosis(text) && isOwn(text));
  // A list says all; a sentence leaves out what was known before.
  if (assessed.length > 1) return assessed;
  const named = (text: string): boolean =>
    assessed.some(({ diagnosis_original: own }) => ` ${fold(own)} `.includes(` ${fold(text)} `));
  return [...assessed, ...pages.flatMap(readDiagnosesInProse).filter((row) => !named(row.diagnosis_original))];
}

/** "Diagnosed in 2021, stable" is about the diagnosis above. */
const IS_DETAIL = new RegExp(
  [
    String.raw`^(?:CHA2DS2|NYHA|HAS-BLED|LVEF|EF \d|BMI|ASA|GCS|EDSS|ECOG|Child-Pugh|diagnosti(?:qué|cat)|diagnosed|`,
    String.raw`erstdiagnose|seit|bekannt seit|since|depuis|dal|nota dal)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** "Nagelung am 28.01.2025", "CPAP seit 2021": what was done about the diagnosis above, with its date. */
const IS_TREATMENT = new RegExp(
  [
    String.raw`^(?:(?:c|a|bi)pap|\p{L}*(?:nagelung|osteosynthese|verschraubung|verplattung|implantation|ablation|`,
    String.raw`kardioversion|stenting|bestrahlung|chemotherapie|radiotherapie|embolisation|punktion|nailing|fixation|`,
    String.raw`radiotherapy|chemotherapy|cardioversion|enclouage|ostéosynthèse|radiothérapie|chimiothérapie|`,
    String.raw`inchiodamento|osteosintesi|radioterapia|chemioterapia|impianto))(?: \p{Ll}+)?,?`,
    String.raw`\s(?:am|vom|seit|on|since|from|le|du|depuis|il|del|dal|\(?\d)`,
  ].join(''),
  'iu',
);

/** "Spirometry was normal, so you do not have asthma". */
const HAS_NOT = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:do(?:es)? not|don['’]t|doesn['’]t) have|(?:was|were|is|are) normal|haben sie kein\p{L}*|`,
    String.raw`(?:war|ist|waren|sind) unauffällig|n['’](?:a|avez) pas|(?:est|était) normale?|non ha|(?:è|era) normale)`,
    String.raw`(?!\p{L})`,
  ].join(''),
  'iu',
);

/** "Postoperative diagnosis: same". */
const IS_SAME =
  /^(?:the )?(?:same|idem|dito|dieselbe|gleich|unverändert|le même|identique|stessa|invariata|as above)\.?$/iu;

/** What was thought before an operation does not count where its report says what was found. */
const BEFORE_OPERATION = /^\W*(?:pre-?operative|präoperative|diagnosi pre-?operatoria|diagnostic pré-?opératoire)/iu;
const AFTER_OPERATION = /^\W*(?:post-?operative|postoperative|diagnosi post-?operatoria|diagnostic post-?opératoire)/iu;

function readPage(page: LayoutPage, ctx: RowContext, role: 'diagnoses' | 'assessed'): FoundDiagnosis[] {
  const rows: FoundDiagnosis[] = [];
  const notes = headingsOfNotes(page);
  const headings = page.lines.flatMap(
    (line, index) => notes.get(index) ?? headingOf(line, index, ctx) ?? headingInColumn(page, line, index, ctx) ?? [],
  );
  const isSuperseded = headings.some(
    ({ line, rest }) => AFTER_OPERATION.test(line.text) && rest && !IS_SAME.test(rest),
  );
  for (const heading of headings.filter((one) => one.role === role)) {
    if (isSuperseded && BEFORE_OPERATION.test(heading.line.text)) continue;
    const next = headings.find(({ index }) => index > heading.index)?.index ?? page.lines.length;
    if (heading.rest !== '' && role === 'diagnoses')
      rows.push(...itemsOf(heading.rest, heading.line.page, heading.restWords));
    const under = page.lines
      .slice(heading.index + 1, Math.min(next, heading.index + 1 + MAX_LIST_LINES))
      .flatMap((line) => lineFrom(line, heading.from, heading.to) ?? []);
    const lines = role === 'diagnoses' ? under : under.filter(({ text }) => BULLET.test(text)).map(withoutSentences);
    if (role === 'assessed' && lines.length === 0) {
      rows.push(...statedIn(heading, under));
      continue;
    }
    const end = heading.from > 0 || heading.to < Infinity ? lines.findIndex(beginsOtherPassage) : -1;
    rows.push(...readList(end < 0 ? lines : lines.slice(0, end), heading, page, heading.rest !== ''));
  }
  return rows;
}

/** Diseases that an assessment states beside its heading and in the lines below. */
const statedIn = ({ rest, line, restWords }: Heading, under: readonly Line[]): FoundDiagnosis[] =>
  diagnosesStated([rest, ...under.slice(0, LINES_OF_ASSESSMENT).map(({ text }) => text)].join(' ')).flatMap((text) =>
    itemsOf(text, line.page, restWords.length > 0 ? restWords : line.words),
  );
const LINES_OF_ASSESSMENT = 4;

/** "1. Reflux disease. Continue omeprazole": what follows the name is the plan. */
const withoutSentences = (line: Line): Line => {
  const end = line.words.findIndex(({ text }) => /\p{L}{4}\.$/u.test(text));
  return end < 0 ? line : partOf(line, [segmentOf(line.words.slice(0, end + 1))]);
};
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
  for (const [at, line] of lines.entries()) {
    const text = textOf(line.segments);
    if (rows.length > 0 && isUnknownHeading(line, lines[at + 1])) break;
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
    if (!code && DOSE.test(text)) break;
    if (line.words.length > MAX_ITEM_WORDS && !code) break;
    if (!bullet && !code && (SENTENCES.test(text) || STARTS_WITH_DAY.test(text))) break;
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

/** "Verlaufsgespräch" above a sentence: the heading of another passage, which no list of headings has. */
function isUnknownHeading({ text, words, bbox }: Line, below: Line | undefined): boolean {
  if (words.length > MAX_WORDS_OF_HEADING || BULLET.test(text) || findIcdCode(text) !== null) return false;
  if (!/^\p{Lu}/u.test(text) || isLikeDiagnosis(text) || below === undefined) return false;
  return (
    below.words.length >= MIN_WORDS_OF_PROSE &&
    /^\p{Lu}/u.test(below.text) &&
    !BULLET.test(below.text) &&
    findIcdCode(below.text) === null &&
    Math.abs(below.bbox[0] - bbox[0]) < COLUMN_SLACK
  );
}
const MAX_WORDS_OF_HEADING = 3;
const MIN_WORDS_OF_PROSE = 9;

/** "Sumatriptan 50 mg as required" is a medicine: the list ended above it. */
const DOSE = /\d\s?(?:mg|mcg|µg|micrograms?)(?![\p{L}/])/u;

/** "Test VRS négatif. Pas de foyer": the end of a sentence and the start of the next. */
const SENTENCES = /(?:\S+\s){3,}\S*\p{Ll}{3}\.\s\p{Lu}/u;
/** "11.10.2025: Marknagel": what was done on a day. */
const STARTS_WITH_DAY = /^\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2}):?\s/u;

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
      const parts = item.split(/,\s+|\s+[–—-]\s+|\s+(?:und|sowie|and|et|e)\s+|\.\s?(?=\p{Lu}\p{Ll})/u);
      return parts.length > 1 && parts.every(isKnownDiagnosis) ? parts.join('; ') : item;
    })
    .join('; ');
}

/** A line may contain several items: "1. Asthma; 2. Hypertonie", "Asthma (J45.9), Gicht (M10.9)". */
function itemsOf(text: string, page: number, words: Line['words']): FoundDiagnosis[] {
  return listedNames(text.split(NEXT_LABEL)[0] ?? '')
    .split(
      /\s*;\s+|\s+(?=\d[.)]\s+\p{Lu})|(?<=\d\)\.)\s+(?=\p{Lu})|(?<=[A-Z]\d[\dA-B](?:\.\d{1,4})?\s?[GVZALRB]{0,2}[)\]]?),\s+(?=\p{L}{3})/u,
    )
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
    .replace(CERTAINTY, '')
    .replace(WITH_DAY, '')
    .replace(TREATED, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:._–-]+|[\s,;:.([–-]+$/gu, '')
    .replace(BULLET, '')
    .trim();
}

/** How a diagnosis was made is not part of its name: "Zöliakie (histologisch gesichert)". */
const CERTAINTY =
  /\s*\((?:\p{L}+ )?(?:gesichert|bestätigt|nachgewiesen|confirmed|proven|confirmée?|prouvée?|confermat[oa])\)\s*$/iu;

/** "Gonarthrose rechts (Knie-TEP am 12.08.2025)": what was done about it, with its day. */
const WITH_DAY = /\s*\((?:\p{L}[^()]*\s)?\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})\)\.?$/u;

/** "Ipotiroidismo in terapia", "Hypertension traitée". */
const TREATED =
  /\s+(?:in (?:terapia|trattamento)|sous traitement|substituée?|traitée?|unter (?:Therapie|Substitution))\.?$/iu;

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

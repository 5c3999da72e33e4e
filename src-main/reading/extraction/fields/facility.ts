import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { fold, foldLetters } from '../fold.ts';
import { ADDRESS_PRINT, FACILITY_WORDS, INSURER_WORDS, STREET_PRINT } from '../languages/facility-words.ts';
import { confidenceOf, median, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { PartyRole } from '../languages/party-labels.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { Found } from '../extraction.ts';
import { findDoctors } from './doctor-names.ts';
import { DEPARTMENT, isOnlyKind, OFFICE } from './facility-kinds.ts';
import { similarityOfNames } from './known-names.ts';
import { findPassageHeadings } from './passages.ts';
import { findPartyLabels, type PartyPair } from './parties.ts';
import { tokensOf } from '../languages/phrases.ts';

/** Legal forms at the end of company names. */
const LEGAL_FORM = /(?<!\p{L})(?:AG|SA|SAS|SELAS|Sàrl|g?GmbH|GbR|KG|Ltd|LLC|LLP|PLLC|Inc|S\.?r\.?l|S\.?p\.?A)\.?$/u;
/** Lines about the patient or the date. */
const NOT_A_HOUSE = new RegExp(
  [
    String.raw`(?<!\p{L})(?:mrn|dob|d\.o\.b|date of birth|geb(?:oren)?\.? am|geburtsdatum|ne(?:e|\(e\))? le|`,
    String.raw`nat[oa] il|data di nascita|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?!\p{L})`,
  ].join(''),
  'u',
);
interface Candidate {
  value: string;
  score: number;
  found: Found<string>;
}

/** Separators in a line of a letterhead. A hyphen or an OCR dot counts only between spaces. */
const SEPARATOR = /\s*[·|•‧∙⋅*■▪]\s*|\s+[-–—:~«»°.]\s+|\s{2,}|,\s+(?=\d|\p{Lu}[\p{L}.]+\s?\d)/u;
const LETTERHEAD_SHARE = 0.24;
const FOOTER_SHARE = 0.9;
/**
 * Letters this much wider than usual for the page are display type, which may continue on the next line. Heights are
 * less reliable: "Fairhaven" has no descender.
 */
const DISPLAY_WIDTH = 1.2;
const TITLE_OR_FIELD = new RegExp(
  [
    String.raw`^(?:herrn?|frau|mr|mrs|ms|madame|monsieur|mme|signora?|patient|paziente|name|nom|datum|date|data|an|to|`,
    String.raw`dear|sehr|betreff|re|tel)\b`,
  ].join(''),
  'i',
);

/**
 * Finds the facility that issued the document: from its letterhead, a label or the footer. Address, telephone and web
 * address are removed.
 */
export function readFacility(
  layout: Layout,
  pairs: readonly PartyPair[],
  type: DocumentType,
  isTitle: (text: string) => boolean,
  patient: string | null = null,
): Found<string> | null {
  const first = layout.pages[0];
  if (!first) return null;
  const others = layout.pages.slice(1).flatMap(({ lines }) => lines);
  const isPatient = (text: string): boolean => patient !== null && similarityOfNames(text, patient) > 0;
  const candidates = [
    ...printedNames(first, { type, isTitle, pairs, isPatient, others }),
    ...labelledNames(pairs),
  ].filter(({ value }) => !isPatient(value));
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  return best && best.score >= 2
    ? { ...best.found, confidence: best.found.confidence * Math.min(1, 0.55 + best.score / 16) }
    : null;
}

interface Context {
  type: DocumentType;
  isTitle: (text: string) => boolean;
  pairs: readonly PartyPair[];
  /** Whether words are the name of the patient. */
  isPatient: (text: string) => boolean;
  /** The lines of the other pages. */
  others: readonly Line[];
}

/** Labels whose value is another house: that of the doctor who ordered or receives the document. */
const OTHER_HOUSE = new Set<PartyRole>(['ordering', 'recipient', 'copy', 'referred_to', 'treating']);

const isOtherHouse = (pairs: readonly PartyPair[], { bbox: [x, y, w] }: Segment, page: number): boolean =>
  pairs.some(
    ({ role, how, page: at, place }) =>
      OTHER_HOUSE.has(role) &&
      how !== 'below' &&
      at === page &&
      Math.abs(place.bbox[1] - y) < 0.01 &&
      place.bbox[0] >= x - 0.001 &&
      place.bbox[0] <= x + w,
  );

/** "Auftraggeber" and, in the next column, a practice. */
function isBesideLabelOfOther(before: Segment | undefined): boolean {
  const tokens = tokensOf(before?.words ?? []),
    [label] = findPartyLabels(tokens);
  return label?.from === 0 && label.to === tokens.length && OTHER_HOUSE.has(label.role);
}

function printedNames(page: LayoutPage, { type, isTitle, pairs, isPatient, others }: Context): Candidate[] {
  const size = median(page.lines.map((l) => l.h)) || 1;
  const usualWidth = median(
    page.lines.flatMap((line) =>
      line.words.filter((word) => word.text.length >= 4).map((word) => widthOfLetters([word])),
    ),
  );
  return page.lines.flatMap((line, index) => {
    const isHead = line.y < LETTERHEAD_SHARE,
      isFoot = line.y > FOOTER_SHARE || (index >= page.lines.length - 2 && index > page.lines.length / 2);
    const isSigned = !isHead && !isFoot && standsBySignature(page, index);
    if (!isHead && !isFoot && !isSigned) return [];
    return line.segments.flatMap((segment, s) =>
      joinNeighbours(page, index, s, { usualWidth, isTitle, isPatient })
        .split(SEPARATOR)
        .slice(0, 3)
        .flatMap((part, p): Candidate[] => {
          const named = cleanName(part);
          const value = p === 0 ? withNameAbove(page, index, segment, named, { isTitle, isPatient }) : named;
          if (
            !value ||
            NOT_A_HOUSE.test(foldLetters(segment.text)) ||
            isTitle(value) ||
            TITLE_OR_FIELD.test(value) ||
            isLabel(value) ||
            isHeading(value) ||
            OFFICE.test(foldLetters(value)) ||
            (value.includes(':') && findDoctors(value).length > 0) ||
            isAddressee(page, line, segment) ||
            isOtherHouse(pairs, segment, page.page) ||
            isBesideLabelOfOther(line.segments[s - 1])
          )
            return [];
          const mayBeUnnamed =
            isHead && index <= 1 && s === 0 && p === 0 && isLikeAName(value) && findDoctors(value).length === 0;
          const words =
            (nameStrength(value, type) || (mayBeUnnamed && isAboveKind(page, index) ? ABOVE_KIND : 0)) +
            (p === 0 && isCompanyBesideKind(value, segment.text) ? 3 : 0);
          if (words === 0 && !(mayBeUnnamed && (hasAddressNear(page, index) || isRepeated(value, others)))) return [];
          if (isSigned && (words < 5 || segment.words.length > 8)) return [];
          const height = median(segment.words.map((w) => w.h)) / size;
          const score =
            words +
            (isHead ? 3 - 10 * line.y : 0.5) +
            (index === 0 ? 2 : 0) +
            (index === 1 ? 1 : 0) +
            (p === 0 ? 0.5 : 0) +
            Math.min(2, Math.max(0, height - 1) * 2);
          return [
            {
              value,
              score,
              found: { value, confidence: confidenceOf(segment.words), place: placeOf(line.page, segment.words) },
            },
          ];
        }),
    );
  });
}

/**
 * Joins a segment with other parts of its name: OCR sometimes splits "St." from "Anne General Hospital", and large type
 * continues on the next line ("Clinique des" / "Grangettes").
 */
function joinNeighbours(
  page: LayoutPage,
  index: number,
  s: number,
  { usualWidth, isTitle, isPatient }: { usualWidth: number } & Pick<Context, 'isTitle' | 'isPatient'>,
): string {
  const line = page.lines[index];
  const own = line?.segments[s];
  if (!line || !own) return '';
  const next = line.segments[s + 1];
  if (own.text.length <= 4 && next && next.bbox[0] - own.bbox[0] < 0.06) return `${own.text} ${next.text}`;
  const height = Math.max(...own.words.map((w) => w.h));
  const isDisplay = (other: Segment): boolean =>
    Math.min(widthOfLetters(own.words), widthOfLetters(other.words)) > DISPLAY_WIDTH * usualWidth &&
    own.words.length + other.words.length <= 8 &&
    !/\d/.test(other.text) &&
    findDoctors(other.text).length === 0;
  const under = page.lines
    .slice(index + 1, index + 3)
    .filter((other) => other.y - line.y < 2.2 * height)
    .flatMap((other) => other.segments)
    .find((other) => Math.abs(other.bbox[0] - own.bbox[0]) < 0.012 && isDisplay(other));
  return under &&
    !isTitle(own.text) &&
    !isTitle(under.text) &&
    !isPatient(under.text) &&
    !/[,.;:\d]$/.test(own.text) &&
    findDoctors(own.text).length === 0
    ? `${own.text} ${under.text}`
    : own.text;
}

/** Mean width of a letter as a fraction of the page width. */
const widthOfLetters = (words: readonly PageWord[]): number =>
  words.reduce((sum, word) => sum + word.w, 0) / words.reduce((sum, word) => sum + word.text.length, 0);

/**
 * Whether a line is in the lower half, within two lines of a doctor's name: cards and slips print the facility there.
 */
function standsBySignature(page: LayoutPage, index: number): boolean {
  return (
    index >= page.lines.length / 2 &&
    page.lines
      .slice(Math.max(0, index - 2), index + 3)
      .some((line) =>
        line.segments.some((segment) => segment.words.length <= 7 && findDoctors(segment.text).length > 0),
      )
  );
}

/** Words that no sentence, heading or label has in a row: most begin with a capital letter. */
function isLikeAName(value: string): boolean {
  const words = value.split(' ').filter((word) => /\p{L}{3}/u.test(word));
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return words.length <= 7 && capital >= words.length / 2 && !/[.?!:]$/.test(value);
}

/** Headings of the parts of a letter or booklet: "Clinical Indication", "CARNET DE SANTÉ". */
function isHeading(value: string): boolean {
  // "Labor Innviertel" is a house, "Labor" is not.
  const own = nameStrength(value, 'other') > 0 && !isOnlyKind(value) ? 0 : 1;
  const tokens = tokensOf(value.split(' ').map((text) => ({ text, x: 0, y: 0, w: 0, h: 0, confidence: 1 })));
  const heading = findPassageHeadings(tokens)[0];
  return heading?.from === 0 && heading.to >= tokens.length - own;
}

/** "Unilab SA – Laboratoire d’analyses": the company is the name, what follows says its kind. */
const isCompanyBesideKind = (value: string, segment: string): boolean =>
  LEGAL_FORM.test(value) && nameStrength(segment.slice(value.length).replace(/\d+/g, ' '), 'lab_test') > 0;

/** Lines below the name of a house in which its address or telephone may stand. */
const ADDRESS_LINES = 3;

/** A letterhead begins the other pages as well. */
const isRepeated = (value: string, others: readonly Line[]): boolean =>
  others.some(({ y, text }) => y < LETTERHEAD_SHARE && fold(text).startsWith(fold(value)));

const hasAddressNear = (page: LayoutPage, index: number): boolean =>
  page.lines
    .slice(index, index + 1 + ADDRESS_LINES)
    .some(
      ({ text, segments }) =>
        ADDRESS_PRINT.test(text) || STREET_PRINT.test(text) || segments.some((one) => TOWN_AND_STATE.test(one.text)),
    );
/** "Santa Fe, NM". */
const TOWN_AND_STATE = /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+){0,2}, [A-Z]{2}$/u;

/** A name without a word for a house, above the line that says what kind of house it is. */
const ABOVE_KIND = 4;
const isAboveKind = (page: LayoutPage, index: number): boolean => {
  const below = cleanName(page.lines[index + 1]?.segments[0]?.text.split(SEPARATOR)[0] ?? '');
  return below !== '' && nameStrength(below, 'other') > 0 && isOnlyKind(below) && below.includes(' ');
};

/** "Edisto Regional" above "Hospital": a word that says only the kind of house continues the name above it. */
function withNameAbove(
  page: LayoutPage,
  index: number,
  segment: Segment,
  value: string,
  { isTitle, isPatient }: Pick<Context, 'isTitle' | 'isPatient'>,
): string {
  if (value === '' || !isOnlyKind(value) || isTitle(value) || nameStrength(value, 'other') === 0) return value;
  const above = page.lines[index - 1];
  const over = above?.segments.find((one) => Math.abs(one.bbox[0] - segment.bbox[0]) < ALIGNED);
  if (!above || !over || segment.bbox[1] - above.y > 2.4 * Math.max(page.lineHeight, above.h)) return value;
  const isName =
    over.words.length <= 4 &&
    over.words.every(({ text }) => /^\p{Lu}[\p{L}'’.-]*$|^(?:de|la|le|of|du|des|di|del)$/u.test(text)) &&
    !isOnlyKind(over.text) &&
    !TITLE_OR_FIELD.test(over.text) &&
    !isTitle(over.text) &&
    !isPatient(over.text) &&
    !isLabel(over.text) &&
    findDoctors(over.text).length === 0;
  return isName ? `${over.text} ${value}` : value;
}
const ALIGNED = 0.012;

/** Whether the whole text is a field label: "Cognome e nome". */
function isLabel(value: string): boolean {
  const tokens = tokensOf(value.split(' ').map((text) => ({ text, x: 0, y: 0, w: 0, h: 0, confidence: 1 })));
  const labels = findPartyLabels(tokens).filter(({ role }) => role !== 'facility');
  const rest = tokens.filter((_, i) => !labels.some(({ from, to }) => i >= from && i < to));
  return labels[0]?.from === 0 && rest.every(({ text }) => /^(?:bzw|oder|und|or|and|et|ou|e|o)$/.test(text));
}

/**
 * Whether a segment is in the recipient's address: "Herr / Frau / An" above it, or a doctor's name in it with a postal
 * code below.
 */
function isAddressee(page: LayoutPage, line: Line, segment: Segment): boolean {
  const index = page.lines.indexOf(line);
  // A name with "Mr" in the first lines of the page is the surgeon, not the recipient.
  const nearby = page.lines.slice(Math.max(0, index - 3), index);
  const over = (lines: readonly Line[]): Segment[] =>
    lines.flatMap((l) => l.segments.filter((x) => Math.abs(x.bbox[0] - segment.bbox[0]) < 0.02));
  if (over(nearby).some(({ text }) => DOCTOR_ADDRESSED.test(foldLetters(text)))) return true;
  const above = over(nearby.filter((l) => l.y > 0.1 || l.segments[0]?.words.length === 1));
  return above.some((x) =>
    /^(?:herrn?|frau|an|to|mr|mrs|ms|madame|monsieur|mme|egregi[oa]|gentil\w*|spett\w*|sig\.?(?:ra)?)\b/i.test(
      foldLetters(x.text),
    ),
  );
}

/** "Frau Dr. med. …", "An Dr. …": the first line of an address, wherever it is. */
const DOCTOR_ADDRESSED =
  /^(?:an )?(?:herrn?|frau|madame|monsieur|egregi[oa]|gent\.?) (?:pd |prof|dr\b|dott|le doct|la doct)/u;

function labelledNames(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair): Candidate[] => {
    if (pair.role !== 'facility' || !pair.hasColon) return [];
    const value = cleanName(pair.text.split(SEPARATOR)[0] ?? '');
    return value && nameStrength(value, 'other') > 0
      ? [
          {
            value,
            score: 5.5,
            found: { value, confidence: pair.confidence * 0.9, place: pair.place, label: pair.label },
          },
        ]
      : [];
  });
}

/**
 * How certainly the words name a facility: 0 for no evidence, 5 for a hospital or, in invoices and letters, an insurer.
 */
function nameStrength(value: string, type: DocumentType): number {
  const folded = ` ${fold(value)}`;
  const words = folded.trim().split(' ').length;
  if (words > 10 || /\d{3}/.test(value)) return 0;
  const has = (list: readonly string[]): boolean =>
    list.some((w) => folded.includes(` ${w}`) || (w.length > 5 && folded.includes(w)));
  if (has(INSURER_WORDS) && type === 'other') return 5;
  if (words === 1 && DISCIPLINE.test(folded)) return 0;
  if (has(FACILITY_WORDS) && words === 1) return REMEDY.test(folded) ? 0 : 2.5;
  if (has(FACILITY_WORDS) && isOnlyKind(value)) return KIND_ALONE;
  if (has(FACILITY_WORDS)) return DEPARTMENT.test(folded.trim()) || OWNER.test(folded) ? 3 : 5;
  if (has(INSURER_WORDS)) return type === 'invoice' ? 3 : 0;
  if (LEGAL_FORM.test(value)) return 3;
  return 0;
}

/** The name of a house or a department without saying which. */
const KIND_ALONE = 3;
/** "Médicament" above a column. */
const REMEDY = /^ medi[ck]a(?:ment|tion|zion)/u;

/** "ausgedruckt von: Praxis …". */
const PRINTED_BY = new RegExp(
  [
    String.raw`^(?:ausgedruckt von|erstellt von|gedruckt von|ausgestellt von|printed by|issued by|établi par|`,
    String.raw`imprimé par|stampato da|rilasciato da)\s*:?\s+`,
  ].join(''),
  'iu',
);

/** The public body that owns the houses on its papers. */
const OWNER = /^ (?:azienda (?:sanitaria|usl|unita)|servizio sanitario|nhs\b)/u;

/** A department or a panel of tests without the name of a house. */
const DISCIPLINE = /^ (?:micro|mikro)biolog/u;

/** Removes what follows a name in a letterhead; empty if no name remains. */
function cleanName(part: string): string {
  let name = part
    .replace(/^[\s«»"'·.,:;|*-]+/, '')
    .replace(PRINTED_BY, '')
    .trim();
  const label = findPartyLabels(
    tokensOf([{ text: name.split(' ')[0] ?? '', x: 0, y: 0, w: 0, h: 0, confidence: 1 }]),
  )[0];
  if (label && name.split(' ')[0]?.endsWith(':')) name = name.slice(name.indexOf(' ') + 1);
  for (const print of [ADDRESS_PRINT, STREET_PRINT]) {
    const at = print.exec(name);
    if (at) name = name.slice(0, at.index);
  }
  name = name.replace(/[\s,;:·|(-]+$/, '').trim();
  return name.replace(/\P{L}/gu, '').length >= 4 ? name : '';
}

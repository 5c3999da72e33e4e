import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { fold, foldLetters } from '../fold.ts';
import { ADDRESS_PRINT, STREET_PRINT } from '../languages/facility-words.ts';
import { confidenceOf, median, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { Found } from '../extraction.ts';
import { findDoctors } from './doctor-names.ts';
import { CLOCK, GOES_ON, isOnlyKind, MADE_AT, OFFICE, PAPER, PLACE_AND_DAY, TOWNS } from './facility-kinds.ts';
import { cleanName, isHeading, isLabel, LEGAL_FORM, nameStrength } from './facility-names.ts';
import { similarityOfNames } from './known-names.ts';
import { isAddressee, isBesideLabelOfOther, isOtherHouse } from './other-houses.ts';
import type { PartyPair } from './parties.ts';

/** Lines about the patient or the date, the head of a fax, the path and the title of a page of an app. */
const NOT_A_HOUSE = new RegExp(
  [
    String.raw`(?<!\p{L})(?:mrn|dob|d\.o\.b|date of birth|geb(?:oren)?\.? am|geburtsdatum|ne(?:e|\(e\))? le|`,
    String.raw`nat[oa] il|data di nascita|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?!\p{L})|`,
    String.raw`^(?:von|from|fax from|de|da)\s?:|\p{L}\s?[›>]\s?\p{L}|`,
    String.raw`^(?:meine?|my|mes|i miei)\s\p{L}*(?:werte|befunde?|results?|medi\p{L}*|resultats|analyses|esami|referti)$`,
  ].join(''),
  'u',
);
interface Candidate {
  value: string;
  score: number;
  found: Found<string>;
}

/** Separators in a line of a letterhead. A hyphen or an OCR dot counts only between spaces. */
const SEPARATOR = /\s*[·|•‧∙⋅*■▪]\s*|\s+[-–—:~«»°.]\s+|\s{2,}|,\s+(?=\d|\p{Lu}[\p{L}.'’-]+\s?\d)/u;
/** Parts of a line that may be the name of a house. */
const MAX_PARTS = 5;
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
    ...namesInSentences(first),
  ].filter(({ value }) => !isPatient(value));
  const best = candidates.sort((a, b) => b.score - a.score)[0] ?? firstLine(first, { isTitle, isPatient });
  return best && best.score >= MIN_SCORE
    ? { ...best.found, confidence: best.found.confidence * Math.min(1, 0.55 + best.score / 16) }
    : null;
}

/** The name above the title of a page on which nothing else names a house: "Medbase Oerlikon". */
function firstLine(
  page: LayoutPage,
  { isTitle, isPatient }: Pick<Context, 'isTitle' | 'isPatient'>,
): Candidate | undefined {
  const segment = page.lines[0]?.segments[0];
  const value = cleanName(segment?.text.split(SEPARATOR)[0] ?? '');
  const isOther =
    isTitle(value) ||
    isLabel(value) ||
    isHeading(value) ||
    TITLE_OR_FIELD.test(value) ||
    isPatient(value) ||
    findDoctors(value).length > 0;
  const isAboveTitle = page.lines.slice(1, 1 + LINES_TO_TITLE).some(({ text }) => isTitle(text));
  if (!segment || isOther || !isAboveTitle || !NAME_ALONE.test(value)) return undefined;
  const place = placeOf(page.page, segment.words);
  return { value, score: MIN_SCORE, found: { value, confidence: confidenceOf(segment.words) * UNNAMED, place } };
}
/** Two to four words that begin with a capital. */
const NAME_ALONE = /^\p{Lu}[\p{L}'’&-]+(?: (?:de |des |du |of |am |an der |la )?\p{Lu}[\p{L}'’&-]+){1,3}$/u;
const LINES_TO_TITLE = 2;
const UNNAMED = 0.6;
/** Below this score, nothing names the house. */
const MIN_SCORE = 2;

interface Context {
  type: DocumentType;
  isTitle: (text: string) => boolean;
  pairs: readonly PartyPair[];
  /** Whether words are the name of the patient. */
  isPatient: (text: string) => boolean;
  /** The lines of the other pages. */
  others: readonly Line[];
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
        .slice(0, MAX_PARTS)
        .flatMap((part, p): Candidate[] => {
          const named = cleanName(part);
          const value = p === 0 ? withNameAbove(page, index, segment, named, { isTitle, isPatient }) : named;
          if (
            !value ||
            NOT_A_HOUSE.test(foldLetters(segment.text)) ||
            PLACE_AND_DAY.test(segment.text) ||
            (index === 0 && CLOCK.test(line.text)) ||
            (isTitle(value) && !isAboveTown(page, index, value)) ||
            TITLE_OR_FIELD.test(value) ||
            isLabel(value) ||
            isHeading(value) ||
            OFFICE.test(foldLetters(value)) ||
            /\p{Ll}{4}\.\s\p{Lu}/u.test(value) ||
            (value.includes(':') && findDoctors(value).length > 0) ||
            isDoctorAlone(value) ||
            (/\bFMH\b/.test(value) && isDiscipline(value)) ||
            isAddressee(page, line, segment) ||
            isOtherHouse(pairs, segment, page.page) ||
            isBesideLabelOfOther(line.segments[s - 1])
          )
            return [];
          const mayBeUnnamed =
            isHead &&
            index <= 1 &&
            isLeftmost(line, s) &&
            p === 0 &&
            isLikeAName(value) &&
            findDoctors(value).length === 0;
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

/** "Risonanza Magnetica Brianza Srl", "Scanner de l'Aunis" above a town: a house that is named like its papers. */
const isAboveTown = (page: LayoutPage, index: number, value: string): boolean =>
  index === 0 &&
  isLikeAName(value) &&
  value.includes(' ') &&
  !PAPER.test(value) &&
  (LEGAL_FORM.test(value) || /^(?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}\p{Ll}/u.test(page.lines[1]?.text ?? ''));

/** Whether nothing but a logo is left of a segment. */
const isLeftmost = ({ segments }: Line, s: number): boolean =>
  segments.slice(0, s).every(({ text }) => !/[\p{L}\d]/u.test(text));

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
  if (GOES_ON.test(own.text)) return withLinesBelow(page, index, own);
  const named = isOnlyKind(own.text) && own.words.length === 1 ? nameBelow(page, index, own) : null;
  if (named !== null && !isTitle(`${own.text} ${named}`) && !isPatient(named)) return `${own.text} ${named}`;
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

/** "Laboratoire" above "Biolittoral": the kind of house above its name, in its column. */
function nameBelow(page: LayoutPage, index: number, own: Segment): string | null {
  const under = page.lines[index + 1]?.segments.find(({ bbox }) => Math.abs(bbox[0] - own.bbox[0]) < ALIGNED);
  const isName =
    under !== undefined && under.words.length <= 2 && /^\p{Lu}\p{L}{3,}(?: \p{Lu}\p{L}+)?$/u.test(under.text);
  return isName && !isLabel(under.text) && !isHeading(under.text) && nameStrength(under.text, 'other') === 0
    ? under.text
    : null;
}

/** A name with the lines below it in its column, as long as it goes on. */
function withLinesBelow(page: LayoutPage, index: number, own: Segment): string {
  let name = own.text;
  for (const { segments } of page.lines.slice(index + 1, index + 3)) {
    const under = segments.find(({ bbox }) => Math.abs(bbox[0] - own.bbox[0]) < ALIGNED);
    if (!under || !GOES_ON.test(name) || findDoctors(under.text).length > 0) break;
    name = `${name} ${under.text}`;
  }
  return name;
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

/**
 * "Dr Maïté Laborde" and "Dr. med. Livia Roth FMH Dermatologie" are persons, "Dr Maïté Laborde, Cabinet des Halles"
 * names the house too.
 */
const isDoctorAlone = (value: string): boolean =>
  findDoctors(value).some(({ from, to }) => from === 0 && (to >= value.length || isDiscipline(value.slice(to))));

/** What a doctor is, behind the name: "FMH Dermatologie", ", Facharzt für Innere Medizin". */
const isDiscipline = (rest: string): boolean => {
  const words = fold(rest)
    .split(' ')
    .filter((word) => word !== 'fmh');
  return words.every((word) => DISCIPLINE_WORD.test(word));
};
const DISCIPLINE_WORD =
  /^(?:fach\p{L}+|specialist\p{L}*|spezial\p{L}+|\p{L}{3,}olog(?:ie|ia|y)|innere|allgemein\p{L}*|medizin|fur|in|en|et|und)$/u;

/** Words that no sentence, heading or label has in a row: most begin with a capital letter. */
function isLikeAName(value: string): boolean {
  const words = value.split(' ').filter((word) => /\p{L}{3}/u.test(word));
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return words.length <= 7 && capital >= words.length / 2 && !/[.?!:]$/.test(value);
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
        ADDRESS_PRINT.test(text) ||
        STREET_PRINT.test(text) ||
        TOWNS.test(text) ||
        segments.some((one) => TOWN_AND_STATE.test(one.text)),
    );
/** "Santa Fe, NM". */
const TOWN_AND_STATE = /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+){0,2}, [A-Z]{2}$/u;

/** A name without a word for a house, above the line that says what kind of house it is. */
const ABOVE_KIND = 4;
const isAboveKind = (page: LayoutPage, index: number): boolean => {
  const below = cleanName(page.lines[index + 1]?.segments[0]?.text.split(SEPARATOR)[0] ?? '');
  return below !== '' && nameStrength(below, 'other') > 0 && isOnlyKind(below) && below.includes(' ');
};

/**
 * "Edisto Regional" above "Hospital": a word that says only the kind of house continues the name above it. A legal form,
 * "SELAS de biologistes médicaux", is not a part of the name.
 */
function withNameAbove(
  page: LayoutPage,
  index: number,
  segment: Segment,
  value: string,
  { isTitle, isPatient }: Pick<Context, 'isTitle' | 'isPatient'>,
): string {
  const isForm = LEGAL_FORM_FIRST.test(value);
  const isKind = isOnlyKind(value) && nameStrength(value, 'other') > 0;
  if (value === '' || !(isForm || isKind) || isTitle(value)) return value;
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
  if (isForm) return isName ? over.text : '';
  return isName ? `${over.text} ${value}` : value;
}
const LEGAL_FORM_FIRST = new RegExp(
  [
    String.raw`^(?:SEL(?:AS|ARL|CA|AFA)|SCP|SCM|SPRL|SARL|Sàrl|Società|Association|Gesellschaft) `,
    String.raw`(?:de |des |d['’]|di |del |der |für )?\p{Ll}`,
  ].join(''),
  'u',
);
const ALIGNED = 0.012;

/** "Taken on 2 September 2025 at Harbour View Medical / Centre", as the screens of portals say where a test was made. */
function namesInSentences(page: LayoutPage): Candidate[] {
  return page.lines.flatMap((line, index) =>
    line.segments.flatMap((segment): Candidate[] => {
      const named = MADE_AT.exec(segment.text)?.[1];
      if (named === undefined) return [];
      const under = page.lines[index + 1]?.segments.find(({ bbox }) => Math.abs(bbox[0] - segment.bbox[0]) < ALIGNED);
      const value = cleanName(under && isOnlyKind(under.text) ? `${named} ${under.text}` : named);
      if (nameStrength(value, 'other') < STRENGTH_OF_HOUSE) return [];
      const place = placeOf(page.page, segment.words);
      return [{ value, score: LABELLED, found: { value, confidence: 0.9 * confidenceOf(segment.words), place } }];
    }),
  );
}
/** The name of a house with more than its kind. */
const STRENGTH_OF_HOUSE = 5;
const LABELLED = 5.5;

function labelledNames(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair): Candidate[] => {
    if (pair.role !== 'facility' || !(pair.hasColon || pair.how === 'beside')) return [];
    const value = cleanName(pair.text.split(SEPARATOR)[0] ?? '');
    return value && nameStrength(value, 'other') > 0
      ? [
          {
            value,
            score: LABELLED,
            found: { value, confidence: pair.confidence * 0.9, place: pair.place, label: pair.label },
          },
        ]
      : [];
  });
}

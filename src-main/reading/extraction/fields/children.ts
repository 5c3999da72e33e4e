import { fullName, parsePersonName, type PersonName } from '../../../../src-shared/medical/person-name.ts';
import type { KnownPatient } from '../extraction.ts';
import { foldWords } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Candidate } from './other-patients.ts';

/** "Ihres Sohnes Marco", "your daughter Anna Keller", "votre fils Luc": the addressee's child, whom the paper is about. */
const CHILD = new RegExp(
  [
    String.raw`(?<!\p{L})(?:[Ii]hr(?:es|em|en|e|er)?\s(?:[Ss]ohn(?:e?s)?|[Tt]ochter|[Kk]ind(?:e?s)?)|`,
    String.raw`[Yy]our\s(?:son|daughter|child)|[Vv]otre\s(?:fils|fille|enfant)|`,
    String.raw`(?:[Ss]u[oa]|[Vv]ostr[oa])\s(?:figli[oa]|bambin[oa]))\s`,
    String.raw`(\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|di|du|da|del|della|der|le|la)\s)*\p{Lu}[\p{L}'’-]+){0,3})`,
  ].join(''),
  'u',
);
/** Of a child that another letter is about: "Votre fils Elia fera l'objet d'un courrier séparé". */
const OF_ANOTHER_LETTER = /\bseparate(?:ly)?\b|\bgesondert|\bseparat(?:e[mns]?|amente|o|a)?\b|séparé|\ba parte\b/iu;
/** More than a form of address, less than a field for the patient's name. */
const SCORE = 0.96;

/**
 * Children to whose parent a page is addressed. A child named by its given name only has the family name of the household
 * member with that given name, or else of an addressee.
 */
export function childrenOf(
  layout: Layout,
  addressees: readonly Candidate[],
  household: readonly KnownPatient[],
): Candidate[] {
  return layout.lines.flatMap((line, index) =>
    line.segments.flatMap((segment): Candidate[] => {
      if (OF_ANOTHER_LETTER.test(`${segment.text} ${layout.lines[index + 1]?.text ?? ''}`)) return [];
      const printed = CHILD.exec(segment.text)?.[1];
      const name = printed === undefined ? null : childNamed(printed, addressees, household);
      if (!name) return [];
      return [{ name, score: SCORE, place: placeOf(line.page, segment.words), ocr: confidenceOf(segment.words) }];
    }),
  );
}

function childNamed(
  printed: string,
  addressees: readonly Candidate[],
  household: readonly KnownPatient[],
): PersonName | null {
  if (printed.includes(' ')) return parsePersonName(printed);
  const [given] = foldWords(printed);
  const known = household
    .flatMap(({ display_name }) => parsePersonName(display_name) ?? [])
    .filter((one) => foldWords(one.given)[0] === given);
  const family = addressees[0]?.name.family;
  if (known.length === 1 && known[0]) return known[0];
  return family === undefined ? null : parsePersonName(fullName({ given: printed, family, isCertain: true }));
}

import { foldName } from '../../../src-shared/medical/name-fold.ts';

/** Legal forms that do not make another facility, folded. */
const LEGAL_FORMS = new Set([
  'ag',
  'gmbh',
  'ggmbh',
  'mbh',
  'sa',
  'sarl',
  'sagl',
  'srl',
  'spa',
  'sas',
  'snc',
  'ltd',
  'llc',
  'inc',
  'kg',
  'kgaa',
  'ohg',
  'gbr',
  'eg',
  'ev',
  'se',
  'co',
  'cie',
  'plc',
]);
/** A street with its number or a box: the address begins here. */
const STREET = new RegExp(
  [
    String.raw`(?:str\.?|strasse|straße|gasse|weg|platz|allee|rain|matte|postfach|case postale|rue|avenue|chemin|`,
    String.raw`via|viale|piazza|casella)\b`,
  ].join(''),
  'iu',
);
const POSTCODE_AND_TOWN = /^(?:[A-Z]{1,2}[- ])?\d{4,5}\s+(.+)$/u;

export interface FacilityName {
  /** Without the postal address. */
  name: string;
  /** The town of the address, where one is printed with its postcode. */
  city: string | null;
  /** What was left out of the name, as printed. */
  address: string | null;
  /** Folded words without the legal form. */
  words: string[];
  /**
   * The words without the part after the last comma, where that may be a town: `Synlab AG, Bern` → `['synlab']`; else
   * null.
   */
  withoutPlace: string[] | null;
}

/** Takes a printed facility apart: legal form and postal address do not make another house. */
export function readFacilityName(printed: string): FacilityName {
  const [head = printed, ...tail] = printed
    .split(/[,;|\n]|\s[·•–—-]\s/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const town = tail.flatMap((part) => POSTCODE_AND_TOWN.exec(part)?.[1] ?? [])[0] ?? null;
  const kept: string[] = [];
  for (const part of tail) {
    if (
      POSTCODE_AND_TOWN.test(part) ||
      (/\d/.test(part) && (STREET.test(part) || /\s\d+\s?[a-z]?$/i.test(part))) ||
      /(?:tel|fax|telefon|www\.|@)/i.test(part)
    )
      break;
    kept.push(part);
  }
  const last = kept.at(-1);
  const mayBeTown = last !== undefined && !/\d/.test(last) && last.split(/\s+/).length <= 2;
  return {
    name: [head, ...kept].join(', '),
    city: town,
    address: tail.slice(kept.length).join(', ') || null,
    words: wordsOf([head, ...kept].join(' ')),
    withoutPlace: mayBeTown ? wordsOf([head, ...kept.slice(0, -1)].join(' ')) : null,
  };
}

function wordsOf(text: string): string[] {
  const words = foldName(text)
    .split(' ')
    .filter((word) => word !== '');
  const own = words.filter((word) => !LEGAL_FORMS.has(word));
  return own.length ? own : words;
}

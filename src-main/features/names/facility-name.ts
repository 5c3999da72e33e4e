import { foldName } from '../../../src-shared/medical/name-fold.ts';

/** Legal forms, folded. They do not distinguish facilities. */
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
/** A street with its number or a PO box, where the address begins. */
const STREET = new RegExp(
  [
    String.raw`(?:str\.?|strasse|straße|gasse|weg|platz|allee|rain|matte|postfach|case postale|rue|avenue|chemin|`,
    String.raw`via|viale|piazza|casella)\b`,
  ].join(''),
  'iu',
);
const POSTCODE_AND_CITY = /^(?:[A-Z]{1,2}[- ])?\d{4,5}\s+(.+)$/u;

export interface FacilityName {
  /** The name without the postal address. */
  name: string;
  /** The city of the address; null if none is printed with its postcode. */
  city: string | null;
  /** The postal address, as printed. */
  address: string | null;
  /** Folded words without the legal form. */
  words: string[];
  /**
   * The words without the part after the last comma, if that may be a city (`Synlab AG, Bern` → `['synlab']`);
   * otherwise null.
   */
  withoutPlace: string[] | null;
}

/** Splits a printed facility into name and address. The legal form does not distinguish facilities. */
export function readFacilityName(printed: string): FacilityName {
  const [head = printed, ...tail] = printed
    .split(/[,;|\n]|\s[·•–—-]\s/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const city = tail.flatMap((part) => POSTCODE_AND_CITY.exec(part)?.[1] ?? [])[0] ?? null;
  const nameParts: string[] = [];
  for (const part of tail) {
    if (
      POSTCODE_AND_CITY.test(part) ||
      (/\d/.test(part) && (STREET.test(part) || /\s\d+\s?[a-z]?$/i.test(part))) ||
      /(?:tel|fax|telefon|www\.|@)/i.test(part)
    )
      break;
    nameParts.push(part);
  }
  const last = nameParts.at(-1);
  const mayBeCity = last !== undefined && !/\d/.test(last) && last.split(/\s+/).length <= 2;
  return {
    name: [head, ...nameParts].join(', '),
    city,
    address: tail.slice(nameParts.length).join(', ') || null,
    words: wordsOf([head, ...nameParts].join(' ')),
    withoutPlace: mayBeCity ? wordsOf([head, ...nameParts.slice(0, -1)].join(' ')) : null,
  };
}

function wordsOf(text: string): string[] {
  const words = foldName(text)
    .split(' ')
    .filter((word) => word !== '');
  const distinctive = words.filter((word) => !LEGAL_FORMS.has(word));
  return distinctive.length ? distinctive : words;
}

import { loadWords } from '../../knowledge/words.ts';

const WORDS = loadWords('facility-words', ['facility', 'insurer']);
/** Folded prefixes of words that make a printed name the name of a medical facility. */
export const FACILITY_WORDS = WORDS.facility;
/** Folded prefixes of words that make a printed name the name of an insurer. */
export const INSURER_WORDS = WORDS.insurer;

/** Words of addresses and contact lines; text after them is not part of a name. */
export const ADDRESS_PRINT = new RegExp(
  [
    String.raw`(?<![\p{L}\d])(?:tel|telefon|phone|telephone|fax|t|f|e-?mail|mail|www|http|web|site|iban|uid|mwst|`,
    String.raw`che-|ean|gln|zsr|rcc|p\.?\s?iva|siret|ust|npi|clia)(?![\p{L}\d])\.?:?|@|\b\d{4,5}\s+\p{Lu}|`,
    String.raw`\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\+\d{2}`,
  ].join(''),
  'u',
);

export const STREET_PRINT = new RegExp(
  [
    String.raw`(?:strasse|straße|str\.|gasse|weg|platz|allee|ufer|quai|ring|promenade|graben|damm)\s*\d|\b(?:rue|`,
    String.raw`avenue|av\.|boulevard|bd|chemin|ch\.|place|route|impasse|quai|via|viale|piazza|corso|largo|vicolo|`,
    String.raw`street|road|lane|avenue|drive|square|terrace|st\.|rd\.|ave\.?|blvd\.?|way|court|suite)\b.*\d|`,
    String.raw`\d+[a-z]?,?\s+(?:\p{Lu}[\p{L}.'-]+\s)*(?:street|road|lane|avenue|drive|square|terrace|way|close|`,
    String.raw`court|st\.?|rd\.?|ave\.?|blvd\.?|rue|avenue|boulevard|chemin|place|route|via|viale|piazza|corso|`,
    String.raw`hauptstrasse|\p{Lu}\p{L}*(?:strasse|straße|gasse|weg|platz|allee))\b`,
  ].join(''),
  'iu',
);

import type { PersonName } from '../../../../src-shared/medical/person-name.ts';
import { foldLetters } from '../fold.ts';
import type { Layout } from '../layout/layout.ts';
import type { Found } from '../extraction.ts';
import type { PartyPair } from './parties.ts';

const MALE = /^(?:m|male|mann|mannlich|maschile|maschio|masculin|homme|uomo|h)\b/;
const FEMALE = /^(?:f|w|female|frau|weiblich|femminile|femmina|feminin|femme|donna)\b/;
const MALE_SALUTATION = /\b(?:herrn?|mr|monsieur)\.?\s+\p{L}/u;
const FEMALE_SALUTATION = /\b(?:frau|mrs|ms|miss|mme|madame|mlle|sig\.ra|signora)\.?\s+\p{L}/u;

function sexOf(text: string): 'M' | 'F' | null {
  if (FEMALE.test(text)) return 'F';
  return MALE.test(text) ? 'M' : null;
}

/**
 * The labeled sex, or the one implied by the salutation of the patient, who may be known by name; null if neither is
 * printed.
 */
export function readSex(
  layout: Layout,
  pairs: readonly PartyPair[],
  name: PersonName | null = null,
): Found<'M' | 'F'> | null {
  for (const pair of pairs) {
    if (pair.role !== 'sex') continue;
    const text = foldLetters(pair.text);
    const value = sexOf(text);
    if (value) return { value, confidence: 0.95 * pair.confidence, place: pair.place, label: pair.label };
  }
  const salutations = pairs.filter((p) => p.role === 'patient').map((p) => foldLetters(p.text));
  if (salutations.some((t) => FEMALE_SALUTATION.test(t))) return { value: 'F', confidence: 0.8, place: null };
  if (salutations.some((t) => MALE_SALUTATION.test(t))) return { value: 'M', confidence: 0.8, place: null };
  const near = layout.lines
    .map((l) => foldLetters(l.text))
    .filter((t) => /geb|born|nee? le|nat[oa]/.test(t) && !/\b(?:dr|prof)\b/.test(t));
  if (near.some((t) => FEMALE_SALUTATION.test(t))) return { value: 'F', confidence: 0.75, place: null };
  if (near.some((t) => MALE_SALUTATION.test(t))) return { value: 'M', confidence: 0.75, place: null };
  const addressed = name === null ? null : sexOfAddress(layout, name);
  return addressed === null ? readSexOfWords(layout) : { value: addressed, confidence: 0.75, place: null };
}

/** The sex in "Herr Valentin Muster" or "Mme MUSTER Valentine", wherever the patient is named so. */
function sexOfAddress({ lines }: Layout, { given, family }: PersonName): 'M' | 'F' | null {
  const [first, last] = [given, family].map((part) => foldLetters(part).replace(/[^\p{L}\s'-]/gu, ''));
  const isOf = (words: string): boolean =>
    lines.some(({ text }) =>
      [`${first} ${last}`, `${last} ${first}`].some((whole) =>
        new RegExp(`\\b(?:${words})\\.?\\s+${whole}`, 'u').test(foldLetters(text).replace(/[^\p{L}\s.'-]/gu, ' ')),
      ),
    );
  const [isMale, isFemale] = [
    isOf('herrn?|mr|monsieur|m|sig|signor'),
    isOf('frau|mrs|ms|miss|mme|madame|mlle|sig\\.?ra|signora'),
  ];
  if (isMale === isFemale) return null;
  return isMale ? 'M' : 'F';
}

/** Words that have the sex of the person: "nata il", "née le", "Patientin:"; forms print "nato/a" and "né(e)". */
const BORN_MALE = /(?<!\p{L})(?:nato il|né le|patient(?=\s?:.*geb(?:\.|oren)))(?!\p{L})/iu;
const BORN_FEMALE = /(?<!\p{L})(?:nata il|née le|patientin(?=\s?:))(?!\p{L})/iu;

function readSexOfWords(layout: Layout): Found<'M' | 'F'> | null {
  const has = (form: RegExp): boolean => layout.lines.some(({ text }) => form.test(text));
  const [isMale, isFemale] = [has(BORN_MALE), has(BORN_FEMALE)];
  if (isMale === isFemale) return null;
  return { value: isMale ? 'M' : 'F', confidence: 0.7, place: null };
}

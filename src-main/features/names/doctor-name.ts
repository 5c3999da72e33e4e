import { foldName } from '../../../src-shared/medical/name-fold.ts';

/** Titles, degrees and forms of address that do not make another person, folded. */
const TITLES = new Set([
  'dr',
  'dre',
  'dres',
  'drs',
  'prof',
  'pd',
  'priv',
  'doz',
  'med',
  'dent',
  'vet',
  'pharm',
  'phil',
  'rer',
  'nat',
  'univ',
  'hc',
  'habil',
  'mult',
  'dott',
  'dottssa',
  'dottoressa',
  'dottore',
  'ssa',
  'drssa',
  'docteur',
  'docteure',
  'doct',
  'pr',
  'pre',
  'professeur',
  'professore',
  'professoressa',
  'professor',
  'professorin',
  'doctor',
  'md',
  'phd',
  'mbbs',
  'frcp',
  'frcs',
  'mrcp',
  'facp',
  'dipl',
  'arzt',
  'aerztin',
  'arztin',
  'oberarzt',
  'oberaerztin',
  'chefarzt',
  'chefaerztin',
  'leitender',
  'leitende',
  'assistenzarzt',
  'assistenzaerztin',
  'stv',
  'herr',
  'frau',
  'herrn',
  'mr',
  'mrs',
  'ms',
  'mme',
  'sig',
  'signora',
  'msc',
  'bsc',
  'mba',
  'eth',
]);
/** From here on it is a specialty, not a name. */
const QUALIFICATIONS = new Set([
  'fmh',
  'fmch',
  'facharzt',
  'fachaerztin',
  'fachaerzte',
  'facharztin',
  'spezialarzt',
  'spezialaerztin',
  'specialiste',
  'specialist',
  'specialista',
  'consultant',
  'facharzttitel',
  'medecin',
  'medico',
  'chirurg',
  'kardiologe',
  'kardiologin',
]);

export interface DoctorName {
  /** As printed: `PD Dr. med.`; null where there is none. */
  title: string | null;
  /** Without title and specialty, the given name first: `Jana Weidmann`. */
  name: string;
  /** Folded words of the name in alphabetical order; one letter for an initial. */
  words: string[];
}

const folded = (word: string): string[] =>
  foldName(word)
    .split(' ')
    .filter((part) => part !== '');
const isTitle = (word: string): boolean => folded(word).every((part) => TITLES.has(part));
const isQualification = (word: string): boolean => folded(word).some((part) => QUALIFICATIONS.has(part));

/**
 * Takes a printed doctor apart: titles, order and specialty do not make another person. `Dr.med. Weidmann, Jana, FMH
 * Kardiologie` is `{title: 'Dr. med.', name: 'Jana Weidmann', words: ['jana', 'weidmann']}`. Where nothing but titles
 * is printed, they are the name.
 */
export function readDoctorName(printed: string): DoctorName {
  // `Dr.med.` and `A.M.` are two words each.
  const spaced = printed
    .trim()
    .replace(/\.(?=[^\s.,;)-])(?!ssa\b)/g, '. ')
    .replace(/^M\.?\s+(?=(?:le\s+)?(?:Dr|Prof|Docteur)\b)(?:le\s+)?/i, '');
  const [first = personWords(''), ...further] = spaced.split(',').map(personWords);
  const second = further.find((part) => part.words.length > 0 && !part.isQualified);
  const isSurnameFirst = first.words.length === 1 && second !== undefined && second.words.length <= 2;
  const words = isSurnameFirst ? [...second.words, ...first.words] : first.words;
  const titles = [...first.titles, ...(isSurnameFirst ? second.titles : [])];
  if (words.length === 0) return { title: null, name: printed.trim(), words: folded(spaced) };
  return { title: titles.length ? titles.join(' ') : null, name: words.join(' '), words: words.flatMap(folded).sort() };
}

function personWords(part: string): { titles: string[]; words: string[]; isQualified: boolean } {
  const titles: string[] = [],
    words: string[] = [];
  for (const word of part.split(/\s+/).filter((text) => folded(text).length > 0)) {
    if (isQualification(word)) return { titles, words, isQualified: true };
    if (isTitle(word)) titles.push(word);
    else words.push(word);
  }
  return { titles, words, isQualified: false };
}

export type PersonSimilarity = 'same' | 'initial' | 'part_of_name' | null;

/**
 * How two doctors' folded words go together. `initial`: one has a first letter where the other has the name, or leaves
 * out a middle initial. `part_of_name`: one has a name more than the other. Two different first names are two people.
 */
export function comparePeople(a: readonly string[], b: readonly string[]): PersonSimilarity {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const left = [...longer];
  const take = (fits: (word: string) => boolean): boolean => {
    const at = left.findIndex(fits);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const unequal = shorter.filter((word) => !take((other) => other === word));
  if (!shorter.some((word) => word.length > 1 && !unequal.includes(word))) return null;
  const abbreviated = unequal.length;
  for (const word of unequal)
    if (!take((other) => (word.length === 1 ? other.startsWith(word) : other.length === 1 && word.startsWith(other))))
      return null;
  if (left.length === 0) return abbreviated === 0 ? 'same' : 'initial';
  return shorter.length > 1 && left.every((word) => word.length === 1) ? 'initial' : 'part_of_name';
}

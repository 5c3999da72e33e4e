import { foldName } from '../../../src-shared/medical/name-fold.ts';

/** Titles, degrees and forms of address, folded. They do not distinguish people from each other. */
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
/** Words that start a specialty after the name, folded. */
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
  /** As printed: `PD Dr. med.`; null without one. */
  title: string | null;
  /** Without title and specialty, the given name first: `Jana Weidmann`. */
  name: string;
  /** Folded words of the name in alphabetical order; an initial is one letter. */
  words: string[];
}

const folded = (word: string): string[] =>
  foldName(word)
    .split(' ')
    .filter((part) => part !== '');
const isTitle = (word: string): boolean => folded(word).every((part) => TITLES.has(part));
const isQualification = (word: string): boolean => folded(word).some((part) => QUALIFICATIONS.has(part));

/**
 * Splits a printed doctor into title and name; title, word order and specialty do not distinguish people. `Dr.med.
 * Weidmann, Jana, FMH Kardiologie` is `{title: 'Dr. med.', name: 'Jana Weidmann', words: ['jana', 'weidmann']}`. If
 * only titles are printed, they are used as the name.
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
 * Compares the folded words of two doctors. `initial`: one has an initial for a name of the other, or omits a middle
 * initial. `part_of_name`: one has an additional name. Different first names are different people.
 */
export function comparePeople(a: readonly string[], b: readonly string[]): PersonSimilarity {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const unmatched = [...longer];
  const matchOnce = (fits: (word: string) => boolean): boolean => {
    const index = unmatched.findIndex(fits);
    if (index >= 0) unmatched.splice(index, 1);
    return index >= 0;
  };
  const notEqual = shorter.filter((word) => !matchOnce((other) => other === word));
  if (!shorter.some((word) => word.length > 1 && !notEqual.includes(word))) return null;
  const abbreviated = notEqual.length;
  for (const word of notEqual)
    if (
      !matchOnce((other) => (word.length === 1 ? other.startsWith(word) : other.length === 1 && word.startsWith(other)))
    )
      return null;
  if (unmatched.length === 0) return abbreviated === 0 ? 'same' : 'initial';
  return shorter.length > 1 && unmatched.every((word) => word.length === 1) ? 'initial' : 'part_of_name';
}

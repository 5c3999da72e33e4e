/**
 * Folds names of people, places, tests, diagnoses and medicines for comparison. All folded names in a vault are created
 * here.
 */

const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  κ: 'kappa',
  λ: 'lambda',
  ω: 'omega',
};

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/**
 * Folds a name: lower case, without accents and punctuation, umlauts spelled out: `Dr. Jürg Käser` → `dr juerg kaeser`.
 */
export function foldName(name: string): string {
  // Most of the knowledge base is ASCII; this saves a third of the time to read it.
  if (isAscii(name))
    return name
      .toLowerCase()
      .replace(/['.]/g, '')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/œ/g, 'oe')
    .replace(/ø/g, 'o')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Folds a medical term: like a name, with Greek letters (`γ-GT` → `gamma gt`) and the signs % and # in words, and
 * without `'s`.
 */
export function foldTerm(term: string): string {
  return foldName(
    term
      .replace(/['’]s(?!\p{L})/gu, '')
      .replace(/[αβγδεκλω]/giu, (letter) => `${GREEK[letter.toLowerCase()] ?? letter} `)
      .replaceAll('%', ' percent ')
      .replaceAll('#', ' abs ')
      .replace(/(\d),(\d)/g, '$1 $2'),
  );
}

/**
 * Returns the folded forms of a term that scans and keyboards produce: umlauts spelled out, and umlauts lost. A term
 * without umlauts has one form.
 */
export function foldedForms(term: string): string[] {
  const whole = foldTerm(term);
  if (isAscii(term)) return [whole];
  const plain = foldTerm(term.normalize('NFD').replace(/\p{M}/gu, ''));
  return plain === whole ? [whole] : [whole, plain];
}

/** Articles and prepositions, without those that are abbreviations too: `la`, `il`, single letters (`IL-6`). */
const SMALL_WORDS = new Set([
  // English
  'the',
  'of',
  'and',
  // German
  'der',
  'die',
  'das',
  'den',
  'dem',
  'des',
  'und',
  // French
  'de',
  'du',
  'les',
  'et',
  // Italian
  'di',
  'del',
  'dello',
  'della',
  'dei',
  'degli',
  'delle',
  'gli',
]);
const SYNONYMS: Readonly<Record<string, string>> = {
  absolute: 'abs',
  absolut: 'abs',
  absolu: 'abs',
  absolus: 'abs',
  absolues: 'abs',
  assoluto: 'abs',
  assoluti: 'abs',
  assolute: 'abs',
  ass: 'abs',
  relative: 'rel',
  relativ: 'rel',
  relatif: 'rel',
  relatifs: 'rel',
  relativi: 'rel',
};

/**
 * Returns the words of a folded term in alphabetical order, without articles, so that `Neutrophils, absolute` and
 * `ABSOLUTE NEUTROPHILS` are equal; null for a term with a slash, which is a ratio with an order.
 */
export function sortedWords(printed: string, folded: string): string | null {
  if (printed.includes('/')) return null;
  const words = folded
    .split(' ')
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => SYNONYMS[word] ?? word);
  return words.length === 0 ? null : words.sort().join(' ');
}

/** Removes spaces, so that `CA 19-9` equals `CA19-9`, and `Vitamin B 12` equals `Vitamin B12`. */
export const removeSpaces = (folded: string): string => folded.replaceAll(' ', '');

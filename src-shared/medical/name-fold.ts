/**
 * Names as they are compared: of people, places, tests, diagnoses and medicines. The one place for it; what is stored as a folded
 * name in a vault was made here.
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

/** Lower case, without accents and punctuation, umlauts spelled out: `Dr. Jürg Käser` → `dr juerg kaeser`. */
export function foldName(name: string): string {
  // Most of the knowledge base is ASCII; this spares a third of the time that reading it takes.
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
 * Medical terms folded: as names, with Greek letters in words (`γ-GT` → `gamma gt`), the signs % and # in words, and
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

/** Articles and prepositions, which never abbreviate; `la`, `il` and single letters may (`IL-6`, `Vitamin D`). */
const SMALL_WORDS = new Set(
  'the of and der die das den dem des und de du les et di del dello della dei degli delle gli'.split(' '),
);
const SAME_WORDS: Readonly<Record<string, string>> = {
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
 * The words of a folded term in alphabetical order, without articles, under which `Neutrophils, absolute` and `ABSOLUTE NEUTROPHILS` are
 * one; null for what is printed with a slash, a ratio that has an order.
 */
export function wordsOf(printed: string, folded: string): string | null {
  if (printed.includes('/')) return null;
  const words = folded
    .split(' ')
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => SAME_WORDS[word] ?? word);
  return words.length === 0 ? null : words.sort().join(' ');
}

/** Without spaces, so that `CA 19-9` and `CA19-9`, `Vitamin B 12` and `Vitamin B12` are one. */
export const squeeze = (folded: string): string => folded.replaceAll(' ', '');

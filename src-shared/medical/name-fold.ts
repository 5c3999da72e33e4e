/**
 * Names as they are compared: of people, places, tests, diagnoses and medicines. The one place for it; what is stored as a folded
 * name in a vault was made here.
 */

const GREEK: Readonly<Record<string, string>> = { α: 'alpha', β: 'beta', γ: 'gamma', δ: 'delta', ε: 'epsilon', κ: 'kappa', λ: 'lambda', ω: 'omega' };

/** Lower case, without accents and punctuation, umlauts spelled out: `Dr. Jürg Käser` → `dr juerg kaeser`. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue').replace(/ß/g, 'ss').replace(/æ/g, 'ae').replace(/œ/g, 'oe').replace(/ø/g, 'o')
    .normalize('NFKD').replace(/\p{M}/gu, '').replace(/['’.]/g, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Medical terms folded: as names, with Greek letters in words (`γ-GT` → `gamma gt`) and the signs % and # in words. */
export function foldTerm(term: string): string {
  return foldName(term.replace(/[αβγδεκλω]/giu, (letter) => `${GREEK[letter.toLowerCase()] ?? letter} `).replaceAll('%', ' percent ').replaceAll('#', ' abs ').replace(/(\d),(\d)/g, '$1 $2'));
}

/** The folded forms of a term that scans and keyboards make of it: umlauts spelled out, and umlauts lost. One form where there are no umlauts. */
export function foldedForms(term: string): string[] {
  const whole = foldTerm(term);
  const plain = foldTerm(term.normalize('NFD').replace(/\p{M}/gu, ''));
  return plain === whole ? [whole] : [whole, plain];
}

/** Without spaces, so that `CA 19-9` and `CA19-9`, `Vitamin B 12` and `Vitamin B12` are one. */
export const squeeze = (folded: string): string => folded.replaceAll(' ', '');

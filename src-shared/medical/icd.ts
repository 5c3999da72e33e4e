/**
 * An ICD-10 code: a letter, two digits (or a digit and a letter), up to four more after a period. German markers may
 * follow (G, V, Z, A; L, R, B).
 */
const CODE =
  /(?<![\p{L}\d])([A-TV-Z]\d[\dA-B](?:[.,]\d{1,4})?)(?:[*†!+])?(?:\s?[GVZA](?:\s?[LRB])?|\s?[LRB])?(?![\p{L}\d])/u;
/** A code after the letters "ICD", where OCR may read `I48.9` as `148.9`, and a zero as `O`. */
const LABELED = new RegExp(
  [
    String.raw`icd\s?-?\s?(?:10|9|11)?(?:\s?-?\s?(?:gm|cm|`,
    String.raw`code))*\s*[:.-]?\s*([A-Z1l|][\dOolI][\dOolIAB](?:[.,][\dOolI]{1,4})?)(?![\p{L}\d])`,
  ].join(''),
  'iu',
);
/** A code in brackets whose first letter OCR read as a digit. */
const BRACKETED = /[([]\s*([1l|][\dO]{2}[.,]\d{1,2})\s*[)\]]/u;

/**
 * Finds the first ICD-10 code in a text and returns it normalized (`I48.9`) with its position; null if there is none.
 */
export function findIcdCode(text: string): { code: string; from: number; to: number } | null {
  const labeled = LABELED.exec(text);
  if (labeled) return normalizeMatch(labeled, labeled[1] ?? '');
  const plain = CODE.exec(text);
  if (plain && !isVertebraOrVitamin(plain[1] ?? '', text, plain.index)) return normalizeMatch(plain, plain[1] ?? '');
  const bracketed = BRACKETED.exec(text);
  return bracketed ? normalizeMatch(bracketed, bracketed[1] ?? '') : null;
}

function normalizeMatch(match: RegExpExecArray, printed: string): { code: string; from: number; to: number } {
  const letter = (printed[0] ?? '').replace(/[1l|]/, 'I').toUpperCase();
  const rest = printed.slice(1).replace(/[Oo]/g, '0').replace(/[lI]/g, '1').replace(',', '.');
  return { code: letter + rest, from: match.index, to: match.index + match[0].length };
}

/** Vertebrae and vitamins look like codes: L5/S1, B12, T4, C5-C6. */
const isVertebraOrVitamin = (code: string, text: string, at: number): boolean =>
  !code.includes('.') &&
  /^(?:B12|B0[1-9]|T[34]\d?|[CLTS]\d\d?$)/.test(code) &&
  !/[([]\s*$/.test(text.slice(0, at)) &&
  !/icd/i.test(text);

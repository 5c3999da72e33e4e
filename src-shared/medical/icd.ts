/**
 * ICD-10 code: letter, two digits (or digit and letter), up to four more behind a point; German markers follow (G, V,
 * Z, A; L, R, B).
 */
const CODE =
  /(?<![\p{L}\d])([A-TV-Z]\d[\dA-B](?:[.,]\d{1,4})?)(?:[*†!+])?(?:\s?[GVZA](?:\s?[LRB])?|\s?[LRB])?(?![\p{L}\d])/u;
/** After the letters "ICD" OCR's `148.9` is `I48.9`, and `O` a zero. */
const LABELLED = new RegExp(
  [
    String.raw`icd\s?-?\s?(?:10|9|11)?(?:\s?-?\s?(?:gm|cm|`,
    String.raw`code))*\s*[:.-]?\s*([A-Z1l|][\dOolI][\dOolIAB](?:[.,][\dOolI]{1,4})?)(?![\p{L}\d])`,
  ].join(''),
  'iu',
);
/** A code in brackets whose first letter OCR took for a digit. */
const BRACKETED = /[([]\s*([1l|][\dO]{2}[.,]\d{1,2})\s*[)\]]/u;

/** The first ICD-10 code printed in a text, normalised (`I48.9`), with its position; null when there is none. */
export function findIcdCode(text: string): { code: string; from: number; to: number } | null {
  const labelled = LABELLED.exec(text);
  if (labelled) return made(labelled, labelled[1] ?? '');
  const plain = CODE.exec(text);
  if (plain && !isUsual(plain[1] ?? '', text, plain.index)) return made(plain, plain[1] ?? '');
  const bracketed = BRACKETED.exec(text);
  return bracketed ? made(bracketed, bracketed[1] ?? '') : null;
}

function made(match: RegExpExecArray, printed: string): { code: string; from: number; to: number } {
  const letter = (printed[0] ?? '').replace(/[1l|]/, 'I').toUpperCase();
  const rest = printed.slice(1).replace(/[Oo]/g, '0').replace(/[lI]/g, '1').replace(',', '.');
  return { code: letter + rest, from: match.index, to: match.index + match[0].length };
}

/** Vertebrae and vitamins look like codes: L5/S1, B12, T4, C5-C6. */
const isUsual = (code: string, text: string, at: number): boolean =>
  !code.includes('.') &&
  /^(?:B12|B0[1-9]|T[34]\d?|[CLTS]\d\d?$)/.test(code) &&
  !/[([]\s*$/.test(text.slice(0, at)) &&
  !/icd/i.test(text);

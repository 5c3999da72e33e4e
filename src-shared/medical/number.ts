/** A printed number with its comparator. */
export interface PrintedNumber {
  value: number;
  comparator: '<' | '>' | '≤' | '≥' | null;
}

/** Signs that compare, as they are printed, with the one that they mean. */
const COMPARATORS = new Map<string, PrintedNumber['comparator']>([
  ['<=', '≤'],
  ['>=', '≥'],
  ['<', '<'],
  ['>', '>'],
  ['≤', '≤'],
  ['≥', '≥'],
]);

const FORM = /^([<>≤≥]=?|=)?\s*([+-]?\d[\d.,'’\u00a0\u202f ]*)$/;

/**
 * Reads a printed number: `1'250`, `1.250,5`, `1,250.5`, `12,6`, `< 0.3`, `>=60`. Null for anything else.
 * One separator followed by three digits alone is thousands only after an apostrophe or space: `1.250` is a decimal in a laboratory.
 */
export function parseNumber(text: string): PrintedNumber | null {
  const match = FORM.exec(text.trim());
  if (!match) return null;
  const digits = (match[2] ?? '').replace(/['’\u00a0\u202f ]/g, '').replace(/[.,]$/, '');
  const lastComma = digits.lastIndexOf(','),
    lastPoint = digits.lastIndexOf('.');
  const decimal = Math.max(lastComma, lastPoint);
  const mark = decimal < 0 ? '' : (digits[decimal] ?? '');
  // The same mark twice parts thousands: 1.250.000.
  const isThousands = mark !== '' && digits.split(mark).length > 2;
  const plain = isThousands
    ? digits.replace(/[.,]/g, '')
    : `${digits.slice(0, decimal < 0 ? undefined : decimal).replace(/[.,]/g, '')}${decimal < 0 ? '' : `.${digits.slice(decimal + 1)}`}`;
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  const sign = match[1] ?? '';
  const comparator = COMPARATORS.get(sign) ?? null;
  return { value, comparator };
}

/** Letters that OCR gives for digits in a column of numbers. */
const CONFUSED: Record<string, string> = {
  O: '0',
  o: '0',
  D: '0',
  Q: '0',
  l: '1',
  I: '1',
  '|': '1',
  '!': '1',
  i: '1',
  Z: '2',
  z: '2',
  S: '5',
  s: '5',
  B: '8',
  g: '9',
  q: '9',
};

/**
 * A number among whose digits OCR put letters that look alike: `1O,5` → `10,5`; null when letters remain, or nothing
 * is a digit.
 */
export function repairNumber(text: string): string | null {
  const repaired = [...text.replace(/\s+/g, '')]
    .map((letter) => CONFUSED[letter] ?? letter)
    .join('')
    .replace(/([.,])[-_]|[-_]([.,])/g, '$1$2');
  return /\d/.test(text) && /^[<>≤≥]?\d+(?:[.,]\d+)?$/.test(repaired) ? repaired : null;
}

/** A printed number with its comparator. */
export interface PrintedNumber {
  value: number;
  comparator: '<' | '>' | '≤' | '≥' | null;
}

/** Printed comparators and their meaning. */
const COMPARATORS = new Map<string, PrintedNumber['comparator']>([
  ['<=', '≤'],
  ['>=', '≥'],
  ['<', '<'],
  ['>', '>'],
  ['≤', '≤'],
  ['≥', '≥'],
]);

const NUMBER = /^([<>≤≥]=?|=)?\s*([+-]?\d[\d.,'’\u00a0\u202f ]*)$/;

/**
 * Parses a printed number: `1'250`, `1.250,5`, `1,250.5`, `12,6`, `< 0.3`, `>=60`; null for anything else. A single
 * point or comma is a decimal mark even before three digits, because laboratories print `1.250` as a decimal.
 */
export function parseNumber(text: string): PrintedNumber | null {
  const match = NUMBER.exec(text.trim());
  if (!match) return null;
  const digits = (match[2] ?? '').replace(/['’\u00a0\u202f ]/g, '').replace(/[.,]$/, '');
  const lastComma = digits.lastIndexOf(','),
    lastPoint = digits.lastIndexOf('.');
  const decimal = Math.max(lastComma, lastPoint);
  const mark = decimal < 0 ? '' : (digits[decimal] ?? '');
  // A separator that occurs twice separates thousands: 1.250.000.
  const isThousands = mark !== '' && digits.split(mark).length > 2;
  const isInteger = isThousands || decimal < 0;
  const whole = (isInteger ? digits : digits.slice(0, decimal)).replace(/[.,]/g, '');
  const value = Number(isInteger ? whole : `${whole}.${digits.slice(decimal + 1)}`);
  if (!Number.isFinite(value)) return null;
  const sign = match[1] ?? '';
  const comparator = COMPARATORS.get(sign) ?? null;
  return { value, comparator };
}

/** Letters that OCR reads instead of digits in a column of numbers. */
const DIGIT_BY_LETTER: Record<string, string> = {
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
 * Repairs a number in which OCR read similar letters instead of digits: `1O,5` → `10,5`; null if other letters remain,
 * or the text has no digit.
 */
export function repairNumber(text: string): string | null {
  const repaired = [...text.replace(/\s+/g, '')]
    .map((letter) => DIGIT_BY_LETTER[letter] ?? letter)
    .join('')
    .replace(/([.,])[-_]|[-_]([.,])/g, '$1$2');
  return /\d/.test(text) && /^[<>≤≥]?\d+(?:[.,]\d+)?$/.test(repaired) ? repaired : null;
}

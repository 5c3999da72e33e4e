import { describe, expect, it } from 'vitest';
import { findIcdCode } from './icd.ts';

describe('findIcdCode', () => {
  it.each([
    ['Gicht (M10.9)', 'M10.9'],
    ['I10.90 G', 'I10.90'],
    ['M54.5 G L', 'M54.5'],
    ['E66.01V', 'E66.01'],
    ['ICD-10: J45,9', 'J45.9'],
    ['ICD-10-GM K21.0', 'K21.0'],
    ['ICD 148.9', 'I48.9'],
    ['Asthme (J45.9)', 'J45.9'],
    ['S72.01R', 'S72.01'],
    ['G35', 'G35'],
  ])('finds the code in %s', (text, code) => expect(findIcdCode(text)?.code).toBe(code));
  it.each(['Vitamin B12', 'Bandscheibe L5/S1', 'HWK C5', 'Stadium 3', '12.03.2024', 'Raum A1'])(
    'finds no code in %s',
    (text) => expect(findIcdCode(text)).toBeNull(),
  );
});

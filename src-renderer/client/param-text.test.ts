import { expect, it } from 'vitest';
import { formatsOf } from '../ui/format/formats.ts';
import { paramText } from './param-text.ts';

const german = formatsOf('de', () => 2026);

it.each([
  ['2026-11-12', '12. November 2026'],
  ['2026-11-12, 2026-11-13', '12. November 2026, 13. November 2026'],
  ['145.00', '145,00'],
  [12_345, '12.345'],
  ['2, 3', '2, 3'],
  ['Befund 2026-11-12.pdf', 'Befund 2026-11-12.pdf'],
])('writes %s as %s in German', (value, text) => expect(paramText(value, german)).toBe(text));

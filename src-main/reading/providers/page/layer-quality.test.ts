import { expect, test } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { isGoodLayer } from './layer-quality.ts';

const good = (lines: string[], errors = 0): boolean => isGoodLayer(printedPage(lines).words, errors);

test.each([
  ['English', 'Thank you for referring this patient with chest pain'],
  ['German', 'Sehr geehrte Kollegin, wir berichten über unsere Patientin'],
  ['French', 'Nous avons examiné votre patiente âgée de quarante ans'],
  ['Italian', 'Abbiamo visitato la sua paziente in ambulatorio'],
  ['a lab table', 'HGB 13.4 g/dL 12.0-16.0 LEUK 7.1 G/l 4.0-10.0 CRP <5 mg/L'],
])('%s is trusted', (_name, line) => expect(good([line])).toBe(true));

test('does not accept a page number on an image as a text layer', () => expect(good(['Page 3 of 12'])).toBe(false));

test('rejects a text layer of meaningless characters', () => {
  const line = 'Sehr geehrte Kollegin, wir berichten über unsere Patientin';
  expect(good([line], 2)).toBe(true);
  expect(good([line], 20)).toBe(false);
});

test('rejects a text layer with words of no language', () =>
  expect(
    good([
      'Vhkwj jhhkuwh Nrooszlq zlu ghulfkwhq xqvhuh Sdwlhqwlq Grnwru Vslwdo wrgdb',
      'qpfgt xkdnm trplk bcdfg hjklm',
    ]),
  ).toBe(false));

test('rejects a text layer of punctuation marks', () =>
  expect(good(['!"#$%&/()=?*+~;:_<>|-.,!"#$%&/ abcdefghijklmnopqrstuvwxyz ()=?*+~;:_<>|-.,!"#$%'])).toBe(false));

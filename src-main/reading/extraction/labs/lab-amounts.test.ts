import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../../test/support/printed-labs.ts';

const words = (line: string) =>
  rowsOf([line]).map((row) => [row.test_name_original, row.value ?? row.value_text, row.is_abnormal]);

describe('the amounts of a test strip in a sentence', () => {
  it('are a result each, with the number beside them', () => {
    expect(words('Urinstatus: Leukozyten +, Nitrit negativ, Protein ++, Blut negativ, pH 6,0')).toEqual([
      ['Leukozyten', '+', true],
      ['Nitrit', 'negativ', false],
      ['Protein', '++', true],
      ['Blut', 'negativ', false],
      ['pH', 6, false],
    ]);
  });

  it('have the abbreviations of the strip', () => {
    expect(words('Urinstix: Leu +, Nit neg, Prot ++, Ery neg.')).toEqual([
      ['Leu', '+', true],
      ['Nit', 'neg', false],
      ['Prot', '++', true],
      ['Ery', 'neg', false],
    ]);
  });

  it.each([
    'Im Vorjahr waren: Leukozyten +, Nitrit negativ, Protein ++',
    'Nitrit negativ, Protein ++, kein Anhalt für einen Infekt',
  ])('are none of an earlier day or beside other words: %s', (line) => {
    expect(words(line).length).toBeLessThan(2);
  });
});

it('knows a sample of urine in German, and cells in it that are few', () => {
  const rows = rowsOf([
    'Material: Mittelstrahlharn',
    'Untersuchung    Ergebnis  Einheit    Referenz',
    'Leukozyten      120       /µl        < 20',
    'Erythrozyten    8         /µl        < 15',
    'Keimzahl        100000    KBE/ml     < 10000',
  ]);
  expect(rows.map((row) => [row.sample_type, row.doubt])).toEqual(rows.map(() => ['urine', []]));
  expect(rows).toHaveLength(3);
  expect(rowsOf(['Leuko i.U.      70        /µl        < 10'])[0]?.doubt).toEqual([]);
  expect(rowsOf(['Harnstoff       6,1       mmol/l     2,8 - 8,1'])[0]?.sample_type).toBeNull();
});

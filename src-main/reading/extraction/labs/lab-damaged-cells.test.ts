import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { read, rowsOf, rowsOfPage } from '../../../../test/support/printed-labs.ts';

describe('what a scan adds or breaks', () => {
  const HEAD = 'Analyse         Wert      Einheit    Referenz';

  it('is joined behind a decimal mark, where a cell begins with it', () => {
    expect(
      read(
        [HEAD, 'Bilirubin       1, 31     mg/dl      < 1,20', 'CRP             <0, 3     mg/dl      < 0,5'],
        true,
      ).map((row) => row.slice(0, 2)),
    ).toEqual([
      ['Bilirubin', 1.31],
      ['CRP', 0.3],
    ]);
  });

  it('is a flag behind the unit', () => {
    expect(
      read(['Analyse         Wert           Referenz', 'Leukozyten      14,3 G/lH      4,5 - 13,0'], true),
    ).toEqual([['Leukozyten', 14.3, 'G/l', 4.5, 13, true]]);
  });

  it('is left out behind a name', () => {
    expect(read([HEAD, 'RBC”            3.98      10^6/µl    3.77 - 5.28'], true)[0]?.[0]).toBe('RBC');
  });
});

it('reads a limit after "upto"', () => {
  expect(read(['Test            Result    Units      Range', 'Total cholesterol   6.4   mmol/L     upto 5.0'])).toEqual(
    [['Total cholesterol', 6.4, 'mmol/L', null, 5, true]],
  );
});

describe('units of a scan', () => {
  it.each([
    ['Hämatokrit      0,38      U          0,35 - 0,46', 'L/L'],
    ['Erythrozyten    4,21      TptYI      3,90 - 5,20', 'Tpt/l'],
    ['ASAT (GOT)      38        u/1        10 - 50', 'U/l'],
    ['Leukozyten      9,8       x10/%9/l   4,0 - 10,0', 'x10^9/l'],
  ])('are read though their slash or letters grew together: %s', (line, unit) => {
    const [row] = rowsOf(['Analyse         Wert      Einheit    Referenz', line], true);
    expect([row?.unit, row?.doubt]).toEqual([unit, []]);
  });
});

it('takes a low mark behind a number for an arrow, and a digit for one', () => {
  const page = printedPage([
    'Analyse         Wert      Einheit    Referenz',
    'CRP             1,9 1     mg/dl      0 - 0,5',
  ]);
  const withHeight = (share: number) => ({
    ...page,
    source: 'ocr' as const,
    words: page.words.map((word) => (word.text === '1' ? { ...word, h: word.h * share } : word)),
  });
  const value = (share: number) => rowsOfPage(withHeight(share))[0]?.value;
  expect([value(0.6), value(1)]).toEqual([1.9, 1.91]);
});

it('doubts a unit of a scan that no result of its test has', () => {
  const rows = rowsOf(
    ['Analyse         Wert      Einheit    Referenz', 'Hämatokrit      38        g          35 - 46'],
    true,
  );
  expect(rows.map((row) => row.doubt)).toEqual([['unit_missing']]);
});

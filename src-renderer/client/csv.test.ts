import { describe, expect, test } from 'vitest';
import { csvText } from './csv.ts';

const cell = (text: string): string => csvText([[text]]).slice(0, -2);
/** The cells of a line as a spreadsheet reads it that separates by `separator`: a quote counts where a cell begins. */
const cellsOf = (line: string, separator: string): string[] => line.split(separator).map((part) => part.trim());
const isFormula = (text: string): boolean => /^["\s]*[=+\-@＝＋－＠]/u.test(text);

describe('CSV', () => {
  test('keeps text as it is, and quotes what would end a cell', () => {
    expect(
      csvText([
        ['a', 1, null],
        ['b, "c"', 'd\ne', -2.5],
      ]),
    ).toBe('a,1,\r\n"b, ""c""","d\ne",-2.5\r\n');
    for (const text of ['Dr. Frisch', 'a-b', 'x = y', 'Müller; Keller', '3;4']) expect(cell(text)).toContain(text);
  });

  test.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1+1', '＠SUM(A1)'],
    ...['Dr. X;=1+1', 'Dr. X; =HYPERLINK("http://evil.example")', 'a\t=1', 'a\n=1', 'a;+1;@b', '"a";=1', 'a";"=1'],
  ])('has no formula, whatever a spreadsheet separates cells with: %j', (text) => {
    const line = csvText([['2026-11-27', text, 'end']]).replace(/\r\n$/, '');
    for (const separator of [',', ';', '\t', '\n']) expect(cellsOf(line, separator).filter(isFormula)).toEqual([]);
  });
});

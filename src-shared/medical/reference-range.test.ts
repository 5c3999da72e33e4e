import { describe, expect, it } from 'vitest';
import { isOutside, parseReferenceRange, sexOfRange } from './reference-range.ts';

describe('parseReferenceRange', () => {
  it.each([
    ['3.5 - 5.1', 3.5, 5.1],
    ['55,8/66,1', 55.8, 66.1],
    ['7,1/11,8 f', 7.1, 11.8],
    ['5-5', 5, 5],
    ['3,5–5,1', 3.5, 5.1],
    ['[136-145]', 136, 145],
    ['(11,0 – 19,0)', 11, 19],
    ['135 to 145', 135, 145],
    ['4,28 à 6,00', 4.28, 6],
    ['von 3 bis 5', 3, 5],
    ["150'000 - 400'000", 150000, 400000],
    ['-2.0 - 3.0', -2, 3],
    ['< 5.0', null, 5],
    ['<5', null, 5],
    ['bis 5', null, 5],
    ['up to 40', null, 40],
    ["jusqu'à 35", null, 35],
    ['inf. à 5,0', null, 5],
    ['fino a 150', null, 150],
    ['≤ 7', null, 7],
    ['max. 12', null, 12],
    ['> 60', 60, null],
    ['> OR = 60', 60, null],
    ['≥ 1,2', 1.2, null],
    ['über 30', 30, null],
    ['sup. à 1,0', 1, null],
    ['oltre 45', 45, null],
  ])('reads %s', (text, low, high) => expect(parseReferenceRange(text)).toEqual({ low, high }));

  it('uses the range of the sex, and none if the sex is unknown', () => {
    expect(parseReferenceRange('m: 13-17 f: 12-16', 'F')).toEqual({ low: 12, high: 16 });
    expect(parseReferenceRange('Männer < 50, Frauen < 35', 'M')).toEqual({ low: null, high: 50 });
    expect(parseReferenceRange('M 30-400 / F 15-150', null)).toBeNull();
  });

  it.each(['negativ', '', '9 - 3', '120/80', 'siehe Text'])('returns null for %s', (text) =>
    expect(parseReferenceRange(text)).toBeNull(),
  );
});

describe('isOutside', () => {
  it('compares with closed bounds', () => {
    expect([
      isOutside(5.1, null, { low: 3.5, high: 5.1 }),
      isOutside(5.2, null, { low: 3.5, high: 5.1 }),
      isOutside(3.4, null, { low: 3.5, high: null }),
    ]).toEqual([false, true, true]);
  });
  it('counts a result below the lowest measured value as normal unless the range begins above it', () => {
    expect([
      isOutside(0.3, '<', { low: null, high: 5 }),
      isOutside(10, '<', { low: 15, high: 150 }),
      isOutside(90, '>', { low: 60, high: null }),
    ]).toEqual([false, true, false]);
  });
});

describe('sexOfRange', () => {
  it.each([
    ['Uomini 13,5-17,5', 'M'],
    ['Männer: < 5', 'M'],
    ['w 12-16', 'F'],
    ['Donne: fino a 38', 'F'],
    ['Männer bis 50', 'M'],
    ['Frauen im Alter bis 50', null],
    ['m: 13-17 f: 12-16', null],
    ['13-17', null],
    ['Frauen', null],
    ['Hämoglobin 12-16', null],
  ] as const)('of %s is %s', (text, sex) => expect(sexOfRange(text)).toBe(sex));
});

it('reads a range that is the same for both sexes although the sex is unknown', () => {
  expect([
    parseReferenceRange('Männer 150 - 400 Frauen 150 - 400'),
    parseReferenceRange('Männer < 60 Frauen < 40'),
    parseReferenceRange('♂ 0,70-1,20 ♀ 0,50-0,90', 'M'),
  ]).toEqual([{ low: 150, high: 400 }, null, { low: 0.7, high: 1.2 }]);
});

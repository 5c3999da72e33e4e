import { expect, it } from 'vitest';
import { digitsOf } from './digits.ts';

it.each([
  ['123456', '123456'],
  [' 12 34-56 ', '123456'],
  ['Code: 0987654', '098765'],
  ['١٢٣٤٥٠', '123450'],
  ['۶۷۸۹۰۱', '678901'],
  ['४२', '42'],
  ['１２３４５６', '123456'],
  ['𝟗𝟘', '90'],
  ['no code', ''],
])('finds the digits of %j', (text, digits) => expect(digitsOf(text)).toBe(digits));

it('knows the value of every decimal digit of Unicode', () => {
  const digits = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /^\p{Nd}$/u.test(character));
  expect(digits.length % 10).toBe(0);
  expect(digits.map((digit) => digitsOf(digit))).toEqual(digits.map((_, index) => String(index % 10)));
});
